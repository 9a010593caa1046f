"""The campaign of Fallout: Warfare (document 001, chapter 8)."""
