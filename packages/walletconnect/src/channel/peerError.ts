/** An error as it is sent between the two sides. */
export type PeerError = { readonly code: number; readonly message: string }

/** The error codes of the Sign protocol that Latchkey sends. */
export const peerErrors = {
  invalidUpdate: { code: 1003, message: 'Invalid update request' },
  invalidExtend: { code: 1004, message: 'Invalid extend request' },
  invalidSettle: { code: 1005, message: 'Invalid session settle request' },
  unauthorizedMethod: { code: 3001, message: 'Unauthorized method' },
  unauthorizedEvent: { code: 3002, message: 'Unauthorized event' },
  unauthorizedUpdate: { code: 3003, message: 'Unauthorized update request' },
  unauthorizedExtend: { code: 3004, message: 'Unauthorized extend request' },
  unauthorizedChain: { code: 3005, message: 'Unauthorized chain' },
  rejectedRequest: { code: 4001, message: 'User rejected the request' },
  rejected: { code: 5000, message: 'User rejected' },
  disconnected: { code: 6000, message: 'User disconnected' },
  settlementFailed: { code: 7000, message: 'Session settlement failed' },
  requestExpired: { code: 8000, message: 'Session request expired' },
  unsupportedMethod: { code: 10_001, message: 'Unsupported wc_ method' },
  malformedAuthenticate: { code: 11_002, message: 'Malformed authenticate request' },
  rejectedAuthenticate: { code: 12_001, message: 'User rejected the sign-in' },
} as const

/** True for the error codes of a rejection by the user. */
export function isRejectionCode(code: number | undefined): boolean {
  return (
    code === 4001 ||
    code === peerErrors.rejectedAuthenticate.code ||
    (code !== undefined && code >= 5000 && code <= 5003)
  )
}
