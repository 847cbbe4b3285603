import type { RecoveryMethod } from '../custody/recovery.ts'
import type { WalletAccount } from '../services/services.ts'
import type { EmailAction, FrameSocial, UpdateEmailAction } from '@latchkey/protocol'

/** Who is logged in, with the first account of each family. */
export type HolderUser = {
  readonly id: string
  readonly email?: string
  readonly userName?: string
  readonly accounts: readonly WalletAccount[]
  /** When the wallet is going to be deleted, in milliseconds since the epoch. */
  readonly deletionAt?: number
}

/** One way to get the wallet back, as it may be shown. The id of a passkey is its credential's, base64url. */
export type ShownWay = { readonly id: string; readonly method: RecoveryMethod; readonly createdAt?: number }

/** How the visitor opens the recovery key on a new device, where no way goes by itself. */
export type WayAnswer =
  | { readonly method: 'password'; readonly password: string }
  /** `output`: of the PRF extension, 32 bytes; `id`: of the credential, base64url. */
  | { readonly method: 'passkey'; readonly id: string; readonly output: Uint8Array }

/** What a passkey of this wallet is asked with: the input of its PRF, and a challenge of the auth service. */
export type PasskeyAsk = { readonly input: Uint8Array; readonly challenge: Uint8Array }

/** That a passkey answered the challenge (WebAuthn). */
export type PasskeyProof = {
  /** Base64url. */
  readonly id: string
  readonly authenticatorData: Uint8Array
  readonly clientDataJSON: Uint8Array
  readonly signature: Uint8Array
}

export type ShownDevice = {
  /** Base64url. */
  readonly setId: string
  readonly browser: string
  readonly origin: string
  readonly createdAt: number
  readonly current: boolean
}

/** What is signed. Whoever orders has had it approved: the worker cannot see the visitor. */
export type SignOrder =
  | { readonly kind: 'evm-message'; readonly message: Uint8Array }
  /** The JSON of eth_signTypedData_v4. */
  | { readonly kind: 'evm-typed-data'; readonly json: string }
  /** As viem serialises it; EIP-1559 or legacy. */
  | { readonly kind: 'evm-transaction'; readonly transaction: EvmTransaction }
  /** The hash of a user operation, signed as EIP-191 for entry points up to 0.7. */
  | { readonly kind: 'evm-operation'; readonly hash: `0x${string}` }
  /** Ed25519 over these bytes: a message, or the message part of a transaction. */
  | { readonly kind: 'solana'; readonly bytes: Uint8Array }

export type EvmTransaction = {
  readonly chainId: number
  readonly nonce: number
  readonly to?: `0x${string}`
  readonly value: bigint
  readonly data: `0x${string}`
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/**
 * The dedicated worker that has the device's key, the session, the parts of the wallet key and, for minutes, the keys
 * themselves. Everything here crosses a MessagePort: nothing of it returns a secret but `reveal`, which refuses in a frame.
 * Refusals are errors whose message is a sentence for the visitor.
 */
export type KeyHolder = {
  /** Takes up what the device remembers. Undefined when nobody is logged in. */
  restore(): Promise<HolderUser | undefined>

  /** `fresh`: has one log in also where the session of this very address lives. */
  sendCode(ask: { email: string; origin: string; fresh?: boolean }): Promise<{ action: EmailAction; match?: string }>
  /** Settled when the link in the mail was approved; the code is mailed then. */
  awaitDevice(): Promise<void>
  /**
   * Redeems the code, begins the session, and makes, opens or recovers the wallet.
   *
   * @returns `ways` instead of a user when the wallet of an approved new device needs a password or a passkey: answer
   *   with `recoverBy`
   */
  redeem(code: string): Promise<Entered>
  recoverBy(answer: WayAnswer): Promise<HolderUser>

  /** `match`: what the provider's last page may ask for, where it is in another network than this browser. */
  beginSocial(ask: { provider: FrameSocial; origin: string }): Promise<{ uri: string; match?: string }>
  /** Settled when the provider's window was finished by the visitor, before the wallet is open. */
  awaitProvider(): Promise<void>
  /** Settled when it was finished, and the wallet is open. */
  awaitSocial(): Promise<Entered>
  beginFarcaster(ask: { origin: string }): Promise<{ url: string }>
  awaitFarcaster(): Promise<Entered & { userName?: string }>
  /** After a login that ended in `match`: settled when the link in the mail was approved, and the wallet is open. */
  awaitApproval(): Promise<Entered>

  /** `origin`: of the page that asks, for the mail to name. */
  updateEmail(ask: { email: string; origin: string }): Promise<{ action: UpdateEmailAction }>
  updateEmailPrimary(code: string): Promise<void>
  updateEmailSecondary(code: string): Promise<{ newEmail: string }>

  signOut(): Promise<void>
  /** Wipes the keys from the memory, as for a page that nobody looks at; what signs next has them opened again. */
  lock(): Promise<void>

  /** @returns the signature's bytes; for transactions the whole serialised transaction (eip155) */
  sign(order: SignOrder): Promise<Uint8Array>

  ways(): Promise<readonly ShownWay[]>
  /** `zxcvbn`-like floor and length are checked by the screen; the OPRF is asked of the auth service. */
  addPassword(password: string, staying?: readonly WayAnswer[]): Promise<void>
  /** A new challenge each time; also while a recovery waits for its passkey. */
  passkeyAsk(): Promise<PasskeyAsk>
  /**
   * `output` is of a `get` after the ceremony that created the passkey. `publicKey` (SPKI, ES256) lets the auth service
   * know it later; `facts` is JSON that is kept beside the wrap.
   */
  addPasskey(
    passkey: { id: string; output: Uint8Array; facts: string; publicKey?: Uint8Array },
    staying?: readonly WayAnswer[],
  ): Promise<void>
  /** Makes the session fresh, and spares it the wait of a new device. */
  provePasskey(proof: PasskeyProof): Promise<void>
  /**
   * Removes a way and begins a new epoch, so that what it opened is dead. At least one must remain.
   *
   * @param staying opens the ways that stay and need the visitor; those that were gone on this page are known
   * @throws LatchkeyError `custody/way-needed` with the method of one that is missing; `custody/last-way`
   */
  removeWay(id: string, staying?: readonly WayAnswer[]): Promise<void>
  devices(): Promise<readonly ShownDevice[]>
  /** Takes a device away; `stolen` begins a new epoch. */
  revokeDevice(setId: string, options: { stolen: boolean; staying?: readonly WayAnswer[] }): Promise<void>

  /** The wallet's secrets, on a top-level page only, after a fresh login. */
  reveal(): Promise<{ phrase: string; evm: string; solana: string }>
  requestDeletion(): Promise<{ at: number }>
  cancelDeletion(): Promise<void>
}

/** What a login ends in. */
export type Entered =
  | { readonly user: HolderUser }
  | { readonly ways: readonly ShownWay[] }
  /** A link was mailed there that approves this device, by these two digits: go on with `awaitApproval`. */
  | { readonly match: string; readonly email: string }
