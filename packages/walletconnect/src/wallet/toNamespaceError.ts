import { isLatchkeyError } from '@latchkey/protocol'
import type { PeerError } from '../channel/peerError.ts'

/** The error for each member of a namespace (CAIP-25). */
const errorOfMember = {
  chains: { code: 5100, message: 'Unsupported chains' },
  methods: { code: 5101, message: 'Unsupported methods' },
  events: { code: 5102, message: 'Unsupported events' },
  accounts: { code: 5103, message: 'Unsupported accounts' },
  namespace: { code: 5104, message: 'Unsupported namespace key' },
} as const

/** Returns the error that the other side gets for namespaces that this side cannot accept. */
export function toNamespaceError(error: unknown): PeerError {
  const member = isLatchkeyError(error, 'session/invalid') ? error.context.member : undefined
  return errorOfMember[member ?? 'namespace']
}
