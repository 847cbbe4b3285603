import type { RecoveryMethod } from '../custody/recoveryMethod.ts'
import type { WalletAccount } from '../services/shareStore.ts'
import type { EmailAction, FrameSocial, UpdateEmailAction } from '@latchkey/protocol'

/** The logged-in user with the first account of each namespace. */
export type HolderUser = {
  readonly id: string
  readonly email?: string
  readonly userName?: string
  readonly accounts: readonly WalletAccount[]
  /** Time of the requested deletion, in milliseconds since the epoch. */
  readonly deletionAt?: number
}

/** A recovery method without its secret. For a passkey, `id` is the credential id in base64url. */
export type RecoveryMethodInfo = {
  readonly id: string
  readonly method: RecoveryMethod
  readonly createdAt?: number
  /** True if its stored data was found not to open the wallet. */
  readonly isUnreadable?: boolean
}

/** The combinations that open the wallet now, as the services and this device report them. */
export type RecoveryStatus = {
  /** True if this device opens the wallet with the auth service. */
  readonly isDeviceEnrolled: boolean
  /** Number of other devices that open the wallet with the auth service. */
  readonly otherDevices: number
  /** True if both services hold the shares that the recovery methods open. */
  readonly isRecoverable: boolean
  /** Time of the last successful rehearsal by the id of the method, in milliseconds since the epoch. */
  readonly testedAt: Readonly<Record<string, number>>
}

/** The user's credential for a recovery method that is not automatic. */
export type RecoveryCredential =
  | { readonly method: 'password'; readonly password: string }
  /** `output`: result of the PRF extension, 32 bytes. `id`: credential id, base64url. */
  | { readonly method: 'passkey'; readonly id: string; readonly output: Uint8Array }

/** The input of the PRF extension, and a challenge of the auth service. */
export type PasskeyRequest = { readonly input: Uint8Array; readonly challenge: Uint8Array }

/** Proof that a passkey signed the challenge (WebAuthn). */
export type PasskeyProof = {
  /** Base64url. */
  readonly id: string
  readonly authenticatorData: Uint8Array
  readonly clientDataJSON: Uint8Array
  readonly signature: Uint8Array
}

export type DeviceInfo = {
  /** Base64url. */
  readonly setId: string
  readonly browser: string
  readonly origin: string
  readonly createdAt: number
  readonly current: boolean
}

/** A request to sign. The caller is responsible for the approval, because the worker can't see the user. */
export type SignRequest =
  | { readonly kind: 'evm-message'; readonly message: Uint8Array }
  /** The JSON of eth_signTypedData_v4. */
  | { readonly kind: 'evm-typed-data'; readonly json: string }
  /** An EIP-1559 transaction. */
  | { readonly kind: 'evm-transaction'; readonly transaction: EvmTransaction }
  /** Hash of a user operation, signed as EIP-191 for entry points up to 0.7. */
  | { readonly kind: 'evm-operation'; readonly hash: `0x${string}` }
  /** Bytes to sign with Ed25519: a message, or the message of a transaction. */
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
 * The dedicated worker that holds the device key, the session, the key shares and, for minutes, the keys. All calls
 * cross a MessagePort. Only `reveal` returns a secret, and it refuses in a frame. Refusals are errors with a message
 * for the user.
 */
export type KeyHolder = {
  /** Restores the stored session. Returns `undefined` without a login. */
  restore(): Promise<HolderUser | undefined>

  /** `fresh`: requires a new login even if this address is logged in. */
  sendCode(ask: { email: string; origin: string; fresh?: boolean }): Promise<{ action: EmailAction; match?: string }>
  /** Resolves once the mailed link was approved. The code is mailed then. */
  awaitDevice(): Promise<void>
  /**
   * Redeems the one-time code, starts the session, and creates, opens or recovers the wallet.
   *
   * @returns `recoveryMethods` instead of a user if a new device needs a password or passkey. Continue with
   *   `recoverWith`.
   */
  redeem(code: string): Promise<LoginResult>
  recoverWith(answer: RecoveryCredential): Promise<HolderUser>

  /**
   * `match`: the confirmation digits that the last page of the login asks for if it can't reach this frame.
   */
  beginSocial(ask: { provider: FrameSocial; origin: string }): Promise<{ uri: string; match?: string }>
  /** Accepts the secret of a login from its last page. Returns false if another frame began the login. */
  acceptLogin(handover: { id: string; secret: string }): Promise<boolean>
  /** Resolves once the user has finished in the provider's window. The wallet is not open yet. */
  awaitProvider(): Promise<void>
  /** Resolves once the wallet is open. */
  awaitSocial(): Promise<LoginResult>
  beginFarcaster(ask: { origin: string }): Promise<{ url: string }>
  awaitFarcaster(): Promise<LoginResult & { userName?: string }>
  /**
   * Approves this device by the code that the last page of the provider's window shows. A code that arrives before the login
   * needs it is used then.
   */
  approveDevice(code: string): Promise<void>
  /** Continues a login that ended in `needsCode`. Resolves once the device is approved and the wallet is open. */
  awaitApproval(): Promise<LoginResult>

  /** `origin`: page that requests the change, shown in the mail. */
  updateEmail(ask: { email: string; origin: string }): Promise<{ action: UpdateEmailAction }>
  updateEmailPrimary(code: string): Promise<void>
  updateEmailSecondary(code: string): Promise<{ newEmail: string }>

  /** Sets the language that the frame is shown in (BCP 47). The services write their mails in it. */
  setLanguage(locale: string): Promise<void>
  signOut(): Promise<void>
  /** Wipes the keys from memory, for example on a hidden page. The next signature opens them again. */
  lock(): Promise<void>

  /** @returns the signature. For eip155 transactions, the serialised signed transaction. */
  sign(order: SignRequest): Promise<Uint8Array>

  recoveryMethods(): Promise<readonly RecoveryMethodInfo[]>
  recoveryStatus(): Promise<RecoveryStatus>
  /**
   * Runs the recovery with one method and compares the result with the wallet on this device. Reveals, stores and
   * changes nothing.
   *
   * @param credential left out for the automatic method
   * @returns the time of the success, in milliseconds since the epoch
   * @throws LatchkeyError `custody/unreadable`, `custody/mismatch`, `custody/invalid-share`
   */
  rehearseRecovery(id: string, credential?: RecoveryCredential): Promise<{ at: number }>
  /** The screen checks length and strength first. The auth service evaluates the OPRF. */
  addPassword(password: string, credentials?: readonly RecoveryCredential[]): Promise<void>
  /** Creates a new challenge. Available during a recovery, too. */
  createPasskeyRequest(): Promise<PasskeyRequest>
  /**
   * `output` comes from a `get` after the passkey was created. The auth service recognises the passkey by its
   * `publicKey` (SPKI, ES256). `facts` is JSON that is stored with the wrapped key.
   */
  addPasskey(
    passkey: { id: string; output: Uint8Array; facts: string; publicKey?: Uint8Array },
    credentials?: readonly RecoveryCredential[],
  ): Promise<void>
  /** Makes the session fresh, and lifts the waiting time of a new device. */
  provePasskey(proof: PasskeyProof): Promise<void>
  /**
   * Removes a recovery method and begins a new epoch, so that the method opens nothing any more. At least one method
   * has to remain.
   *
   * @param credentials credentials of the remaining methods. Those used on this page are known already.
   * @throws LatchkeyError `custody/recovery-method-needed` with the method that is missing;
   *   `custody/last-recovery-method`
   */
  removeRecoveryMethod(id: string, credentials?: readonly RecoveryCredential[]): Promise<void>
  devices(): Promise<readonly DeviceInfo[]>
  /** Revokes a device. `stolen` also begins a new epoch. */
  revokeDevice(setId: string, options: { stolen: boolean; credentials?: readonly RecoveryCredential[] }): Promise<void>

  /** Returns the wallet's secrets. Only on a top-level page and after a fresh login. */
  reveal(): Promise<{ phrase: string; evm: string; solana: string }>
  /**
   * Returns the text of a recovery file, which opens the wallet with its password and without the services. Only on a
   * top-level page and after a fresh login.
   */
  recoveryFile(password: string): Promise<string>
  requestDeletion(): Promise<{ at: number }>
  cancelDeletion(): Promise<void>
}

/** The result of a login. */
export type LoginResult =
  | { readonly user: HolderUser }
  | { readonly recoveryMethods: readonly RecoveryMethodInfo[] }
  /** The share store approves this device by the code of the provider's window. Continue with `awaitApproval`. */
  | { readonly needsCode: true }
