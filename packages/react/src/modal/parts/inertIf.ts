import { version } from 'react'

/** Sets `inert`. React 19 takes a boolean; React 18 passes only strings on to the element. */
export function inertIf(isInert: boolean): { inert?: boolean } {
  if (!version.startsWith('18.')) return { inert: isInert }
  // The types are those of React 19.
  return isInert ? { inert: '' as unknown as boolean } : {}
}
