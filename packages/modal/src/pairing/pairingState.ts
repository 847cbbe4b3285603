import type { LatchkeyError, WalletListEntry } from '@latchkey/protocol'

/** The pairing link that a phone wallet scans or opens. */
export type PairingState =
  | { status: 'idle' }
  | { status: 'waiting'; wallet: WalletListEntry | undefined }
  | { status: 'ready'; wallet: WalletListEntry | undefined; uri: string }
  | { status: 'failed'; wallet: WalletListEntry | undefined; error: LatchkeyError }
