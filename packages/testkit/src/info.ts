/** Who an extension says it is (EIP-6963). */
export type ProviderInfo = { uuid: string; name: string; icon: string; rdns: string }

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3563e9"/>' +
      '<path d="M10 9v14h12" fill="none" stroke="#fff" stroke-width="4"/></svg>',
  )

/** Completes what the test left out; the uuid is fresh each time, as the standard asks. */
export function completeInfo(given: Partial<ProviderInfo> = {}): ProviderInfo {
  return { uuid: crypto.randomUUID(), name: 'Simulated Wallet', icon, rdns: 'dev.latchkey.simulated', ...given }
}
