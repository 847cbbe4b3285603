/**
 * Returns a sentence if a version of Node.js is too old, otherwise `undefined`.
 *
 * @param {string} version
 * @returns {string | undefined}
 */
export function complainAboutNode(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return undefined
  return `Latchkey needs Node.js 20.19 or newer; this is ${version}. Install a newer one and run the command again.`
}
