const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a string for HTML content and attribute values. */
export function escapeHtmlText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
