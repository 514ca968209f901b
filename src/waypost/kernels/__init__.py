"""All compiled code. Only flat arrays and plain numbers cross into this folder."""
