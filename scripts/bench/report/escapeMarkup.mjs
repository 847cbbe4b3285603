/** Escapes a text for the content or a quoted attribute of HTML and SVG. @param {string} text */
export function escapeMarkup(text) {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
