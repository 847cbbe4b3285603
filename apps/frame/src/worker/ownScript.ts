/** What a browser with Trusted Types wants besides an address; others take the text. */
type Policies = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/**
 * Lets through the address of a script that this site itself serves, and no other: the one policy for Trusted Types that
 * its headers allow. Each page, and each worker, starts one worker at the most.
 *
 * @throws TypeError for any other address
 */
export function ownScript(url: string): string {
  const rules = {
    createScriptURL(address: string): string {
      const { origin, pathname } = new URL(address, location.href)
      if (origin === location.origin && pathname.startsWith('/assets/')) return address
      throw new TypeError('Workers are started from this site only.')
    },
  }
  // Not every browser has it, and the platform's types do not know it yet.
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  return (trustedTypes?.createPolicy('latchkey', rules) ?? rules).createScriptURL(url)
}
