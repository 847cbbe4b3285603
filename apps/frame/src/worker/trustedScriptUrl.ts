/** The Trusted Types API. Browsers without it accept strings. */
type Policies = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/**
 * Returns the URL of a script of this site as a trusted value. This is the only Trusted Types policy that the site's
 * headers allow, and each page and worker starts at most one worker.
 *
 * @throws TypeError for any other URL
 */
export function trustedScriptUrl(url: string): string {
  const rules = {
    createScriptURL(address: string): string {
      const { origin, pathname } = new URL(address, location.href)
      if (origin === location.origin && pathname.startsWith('/assets/')) return address
      throw new TypeError('Scripts must come from this site.')
    },
  }
  // Not all browsers have it, and TypeScript's types lack it.
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  return (trustedTypes?.createPolicy('latchkey', rules) ?? rules).createScriptURL(url)
}
