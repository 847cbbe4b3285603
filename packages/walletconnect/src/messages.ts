/** How a method of the Sign protocol travels: its relay tags, how long a relay keeps it, whether it may wake a phone. */
export type MessageKind = {
  readonly requestTag: number
  readonly responseTag: number
  /** Seconds. */
  readonly ttl: number
  readonly prompt: boolean
}

/** The methods that both sides speak inside the envelopes. */
export type Method =
  | 'wc_sessionPropose'
  | 'wc_sessionSettle'
  | 'wc_sessionUpdate'
  | 'wc_sessionExtend'
  | 'wc_sessionRequest'
  | 'wc_sessionEvent'
  | 'wc_sessionDelete'
  | 'wc_sessionPing'
  | 'wc_sessionAuthenticate'

export const messageKinds: Readonly<Record<Method, MessageKind>> = {
  wc_sessionPropose: { requestTag: 1100, responseTag: 1101, ttl: 300, prompt: true },
  wc_sessionSettle: { requestTag: 1102, responseTag: 1103, ttl: 300, prompt: false },
  wc_sessionUpdate: { requestTag: 1104, responseTag: 1105, ttl: 86_400, prompt: false },
  wc_sessionExtend: { requestTag: 1106, responseTag: 1107, ttl: 86_400, prompt: false },
  wc_sessionRequest: { requestTag: 1108, responseTag: 1109, ttl: 900, prompt: true },
  wc_sessionEvent: { requestTag: 1110, responseTag: 1111, ttl: 300, prompt: true },
  wc_sessionDelete: { requestTag: 1112, responseTag: 1113, ttl: 86_400, prompt: false },
  wc_sessionPing: { requestTag: 1114, responseTag: 1115, ttl: 30, prompt: false },
  wc_sessionAuthenticate: { requestTag: 1116, responseTag: 1117, ttl: 3600, prompt: true },
}

/**
 * How long a relay keeps a message at most, in seconds, by its tag. The sender of a request chooses that, and tags that
 * are not known here may stand for anything: a week is the most that relays take.
 */
export function longestLife(tag: number | undefined): number {
  const isShort = tag !== undefined && tag >= 1100 && tag <= 1103
  return isShort ? messageKinds.wc_sessionPropose.ttl : 604_800
}

/** The tag of a proposal's refusal by the visitor, and of one that the wallet refused without asking. */
export const rejectTags = { visitor: 1120, wallet: 1121 } as const

/** The same for a sign-in. */
export const authenticateRejectTags = { visitor: 1118, wallet: 1119 } as const

/** How the answer to a method that nobody knows travels. */
export const unknownMethod = { responseTag: 0, ttl: 86_400 } as const

/** Error codes of the Sign protocol that Latchkey sends. */
export const peerErrors = {
  invalidUpdate: { code: 1003, message: 'Invalid update request' },
  invalidSettle: { code: 1005, message: 'Invalid session settle request' },
  unauthorizedMethod: { code: 3001, message: 'Unauthorized method' },
  unauthorizedEvent: { code: 3002, message: 'Unauthorized event' },
  unauthorizedUpdate: { code: 3003, message: 'Unauthorized update request' },
  unauthorizedExtend: { code: 3004, message: 'Unauthorized extend request' },
  unauthorizedChain: { code: 3005, message: 'Unauthorized chain' },
  rejectedRequest: { code: 4001, message: 'User rejected the request' },
  rejected: { code: 5000, message: 'User rejected' },
  unsupportedNamespaces: { code: 5104, message: 'Unsupported namespace key' },
  disconnected: { code: 6000, message: 'User disconnected' },
  settlementFailed: { code: 7000, message: 'Session settlement failed' },
  requestExpired: { code: 8000, message: 'Session request expired' },
  unsupportedMethod: { code: 10_001, message: 'Unsupported wc_ method' },
  malformedAuthenticate: { code: 11_002, message: 'Malformed authenticate request' },
  rejectedAuthenticate: { code: 12_001, message: 'User rejected the sign-in' },
} as const

/** An error as it travels between the two sides. */
export type PeerError = { readonly code: number; readonly message: string }

export function isMethod(value: string): value is Method {
  return Object.hasOwn(messageKinds, value)
}

/** Whether an error code says that a person declined. */
export function isRefusal(code: number | undefined): boolean {
  return (
    code === 4001 ||
    code === peerErrors.rejectedAuthenticate.code ||
    (code !== undefined && code >= 5000 && code <= 5003)
  )
}
