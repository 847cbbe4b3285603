/** True for the form in which browsers report origins. Nothing else fits into it: no path, user name or line end. */
export function isOriginOnly(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol } = new URL(text)
  // Node.js reports no origin for the schemes of application shells.
  return (
    origin === text || (origin === 'null' && protocol !== 'data:' && /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+$/.test(text))
  )
}
