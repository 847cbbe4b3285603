/** Serialises the tabs of a site (Web Locks). Missing in insecure pages and on servers. */
export type TabLocks = Pick<LockManager, 'request'>

/** Returns the locks that the tabs of the site share. */
export function getTabLocks(): TabLocks | undefined {
  return typeof navigator !== 'undefined' && 'locks' in navigator ? navigator.locks : undefined
}
