import type { ProblemCode } from '@latchkey/core'

/** A fault of the app or its environment. Each code is shown once. */
export type AlertState = { code: AlertCode; dismissed: boolean }

/** The faults that the modal shows. `network-unsupported` disappears when the wallet is back on a supported network. */
export type AlertCode = ProblemCode | 'network-unsupported'
