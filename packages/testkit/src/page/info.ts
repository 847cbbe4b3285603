/** The metadata that an extension announces (EIP-6963). */
export type ProviderInfo = { uuid: string; name: string; icon: string; rdns: string }

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3563e9"/>' +
      '<path d="M10 9v14h12" fill="none" stroke="#fff" stroke-width="4"/></svg>',
  )

/** Adds defaults for missing fields. The uuid is new each time, as the standard requires. */
export function completeInfo(given: Partial<ProviderInfo> = {}): ProviderInfo {
  return { uuid: crypto.randomUUID(), name: 'Simulated Wallet', icon, rdns: 'dev.latchkey.simulated', ...given }
}
