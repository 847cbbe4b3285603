import type { RecoveryMethod } from '../custody/recoveryMethod.ts'
import type { WaitingDevice, WalletAccount } from '../services/shareStore.ts'
import type { UserOperation } from 'viem/account-abstraction'
import type { ExceededRule } from '../policy/exceededRule.ts'
import type { PolicyRule } from '../policy/policyRule.ts'
import type { Policy } from '../policy/policy.ts'
import type { Spending } from '../policy/spending.ts'
import type { EmailAction, FrameSocial, UpdateEmailAction } from '@latchkey/protocol'

/** The logged-in user with the first account of each namespace. */
export type HolderUser = {
  readonly id: string
  readonly email?: string
  readonly userName?: string
  /** Provider of the login, such as `google` or `farcaster`. */
  readonly social?: string
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

/** The input of the PRF extension, and the challenge of a service. */
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
  /** Base64url. `undefined` if the auth service has no key share of the device. */
  readonly setId: string | undefined
  /** Thumbprint of the device key. */
  readonly key: string
  /** The only service that knows the device, if the other one doesn't. */
  readonly onlyAt?: 'auth' | 'shares'
  /** True if the device is logged in, and neither service has a key share of it. */
  readonly hasOnlyLogin?: boolean
  readonly browser: string
  readonly origin: string
  readonly createdAt: number
  readonly current: boolean
}

/** A request to sign. The caller is responsible for the approval, because the worker can't see the user. */
export type SignRequest =
  | { readonly kind: 'evm-message'; readonly message: Uint8Array }
  /** The JSON of eth_signTypedData_v4. A user operation is signed by its hash, so its content is passed as well. */
  | { readonly kind: 'evm-typed-data'; readonly json: string; readonly operation?: EvmOperation }
  /** An EIP-1559 transaction. */
  | { readonly kind: 'evm-transaction'; readonly transaction: EvmTransaction }
  /** Hash of a user operation, signed as EIP-191 for entry points up to 0.7. */
  | { readonly kind: 'evm-operation'; readonly hash: `0x${string}` }
  /** Bytes to sign with Ed25519: a message, or the message of a transaction. */
  | { readonly kind: 'solana'; readonly bytes: Uint8Array }

/** A user operation (ERC-4337) before its signature. */
export type EvmOperation = {
  readonly chainId: number
  readonly entryPoint: `0x${string}`
  readonly operation: UserOperation<'0.7'>
}

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
  sendCode(request: {
    email: string
    origin: string
    fresh?: boolean
  }): Promise<{ action: EmailAction; match?: string }>
  /** Resolves once the mailed link was approved. The code is mailed then. */
  awaitDevice(): Promise<void>
  /**
   * Redeems the one-time code, starts the session, and creates, opens or recovers the wallet.
   *
   * @returns `recoveryMethods` instead of a user if a new device needs a password or passkey. Continue with
   *   `recoverWith`.
   */
  redeem(code: string): Promise<LoginResult>
  recoverWith(response: RecoveryCredential): Promise<HolderUser>

  /**
   * `match`: the confirmation digits that the last page of the login asks for if it can't reach this frame.
   */
  beginSocial(request: { provider: FrameSocial; origin: string }): Promise<{ uri: string; match?: string }>
  /** Accepts the secret of a login from its last page. Returns false if another frame began the login. */
  acceptLogin(handover: { id: string; secret: string }): Promise<boolean>
  /** Resolves once the user has finished in the provider's window. The wallet is not open yet. */
  awaitProvider(): Promise<void>
  /** Resolves once the wallet is open. */
  awaitSocial(): Promise<LoginResult>
  beginFarcaster(request: { origin: string }): Promise<{ url: string }>
  awaitFarcaster(): Promise<LoginResult & { userName?: string }>
  /**
   * Approves this device by the code that the last page of the provider's window shows. A code that arrives before the login
   * needs it is used then.
   */
  approveDevice(code: string): Promise<void>
  /**
   * Creates the request with which a passkey approves this device, after a login that ended in `needsDevice`.
   *
   * @throws ServiceRefusal 403 `device`, 409 `login`
   */
  createDevicePasskeyRequest(): Promise<PasskeyRequest>
  /**
   * Approves this device by a passkey. `awaitApproval` then opens the wallet with it.
   *
   * @param passkey `output` as in `RecoveryCredential`
   * @throws ServiceRefusal 401 `passkey`, 404 `id`
   */
  approveDeviceByPasskey(passkey: { proof: PasskeyProof; output: Uint8Array }): Promise<void>
  /** Continues a login that ended in `needsCode` or `needsDevice`. Resolves once the device is approved and the wallet is open. */
  awaitApproval(): Promise<LoginResult>

  /** `origin`: page that requests the change, shown in the mail. */
  updateEmail(request: { email: string; origin: string }): Promise<{ action: UpdateEmailAction }>
  /**
   * Sends the code of the present address.
   *
   * @returns the link that the share store mailed to the new address, if that address is to approve new devices
   */
  updateEmailPrimary(code: string): Promise<AddressConfirmation | undefined>
  /** Resolves once the new address has confirmed that it approves new devices. @throws ServiceRefusal 410 `link` */
  awaitNewAddress(): Promise<void>
  updateEmailSecondary(code: string): Promise<{ newEmail: string }>

  /** Sets the language that the frame is shown in (BCP 47). The services write their mails in it. */
  setLanguage(locale: string): Promise<void>
  signOut(): Promise<void>
  /** Wipes the keys from memory, for example on a hidden page. The next signature opens them again. */
  lock(): Promise<void>

  /**
   * @returns the signature. For eip155 transactions, the serialised signed transaction.
   * @throws LatchkeyError `policy/exceeded` if the signing policy requires a second device; `policy/unavailable`
   */
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
   * Removes a recovery method and begins a new epoch, so that the method no longer opens the wallet. At least one method
   * has to remain.
   *
   * @param credentials credentials of the remaining methods. Those used on this page are known already.
   * @param options.dropsPasskeys also removes each passkey that `credentials` has no key for, so that lost passkeys can't block
   *   each other's removal
   * @throws LatchkeyError `custody/recovery-method-needed` with the method that is missing;
   *   `custody/last-recovery-method`
   */
  removeRecoveryMethod(
    id: string,
    credentials?: readonly RecoveryCredential[],
    options?: { readonly dropsPasskeys?: boolean },
  ): Promise<void>
  devices(): Promise<readonly DeviceInfo[]>
  /** Revokes a device. `stolen` also begins a new epoch. */
  revokeDevice(
    setId: string | undefined,
    options: { key?: string; stolen: boolean; credentials?: readonly RecoveryCredential[] },
  ): Promise<void>
  /** Ends the sessions of all other devices. Their key shares stay. @throws ServiceRefusal 403 `deviceAge` */
  signOutOthers(): Promise<void>

  /** Lists the new devices that wait for the approval of this one. */
  waitingDevices(): Promise<readonly WaitingDevice[]>
  /** Approves a new device by the two digits that it shows. @throws ServiceRefusal 401 `match`, 404 `id` */
  approveWaitingDevice(id: string, match: string): Promise<void>
  /** Refuses a new device. */
  stopWaitingDevice(id: string): Promise<void>

  /** Returns the wallet's secrets. Only on a top-level page and after a fresh login. */
  reveal(): Promise<{ phrase: string; evm: string; solana: string }>
  /**
   * Returns the text of a recovery file, which opens the wallet with its password and without the services. Only on a
   * top-level page and after a fresh login.
   */
  recoveryFile(password: string): Promise<string>
  /**
   * Returns the newest signing policy that the services or this device know.
   *
   * @throws LatchkeyError `policy/unavailable`
   */
  policy(): Promise<PolicyView>
  /**
   * Replaces the signing policy at both services. A looser one needs an established device, and takes effect after a day
   * unless a passkey was just proven. Until then `pending` names it.
   *
   * @param counter counter of the policy that the user saw
   * @throws LatchkeyError `policy/conflict`, `policy/invalid`, `policy/unavailable`
   */
  savePolicy(policy: Policy, counter: number): Promise<PolicyView>
  /**
   * Asks the other devices of the wallet to approve a request that exceeds the signing policy.
   *
   * @param requested.origin origin of the page that sent the request
   */
  requestSecondDevice(requested: {
    request: SignRequest
    origin: string
    rule: PolicyRule
  }): Promise<SecondDeviceRequest>
  /** Returns the state of a request of this device. After `approved`, `sign` accepts the same request once. */
  checkSecondDevice(id: string): Promise<SecondDeviceState>
  /**
   * Finds the rule that requests would exceed, before they are signed. It does not count them, and sends no service
   * request if this device knows that the wallet has no rules.
   *
   * @returns `undefined` if no rule is known to apply. `sign` decides.
   */
  exceededRule(requests: readonly SignRequest[]): Promise<ExceededRule | undefined>
  /** Lists the requests of other devices that wait for a decision. */
  secondDeviceRequests(): Promise<readonly SecondDeviceRequest[]>
  /** @throws ServiceRefusal 404 `id` after the decision or the expiry */
  decideForDevice(id: string, isApproved: boolean): Promise<void>
  /** Seals the origin of the page that got a permission, for the other devices of the wallet. */
  sealPermissionOrigin(id: PermissionId, origin: string): Promise<Uint8Array>
  /** Opens sealed origins. `undefined` for each that this wallet did not seal for this permission. */
  openPermissionOrigins(
    entries: readonly (PermissionId & { readonly sealed: Uint8Array })[],
  ): Promise<readonly (string | undefined)[]>
  requestDeletion(): Promise<{ at: number }>
  cancelDeletion(): Promise<void>
}

/** Identifies a permission that a network enforces. */
export type PermissionId = {
  /** CAIP-2. */
  readonly chainId: string
  /** Hash of the delegation, 32 bytes. */
  readonly hash: Uint8Array
}

/** The wait of a new device: for its two digits on a known device, or for a time in milliseconds since the epoch. */
export type DeviceWait = {
  readonly match: string
  readonly opensAt: number
  /** True if one of the user's passkeys can approve the device. */
  readonly hasPasskey?: boolean
}

/** The link that the share store mailed to the new address of a login, and the two digits that its page asks for. */
export type AddressConfirmation = { readonly email: string; readonly match: string }

/** The signing policy, and how the two services store it. */
export type PolicyView = {
  readonly policy: Policy
  /** 0 before the first policy. */
  readonly counter: number
  readonly copies: { readonly auth: PolicyCopy; readonly shares: PolicyCopy }
  /** A looser policy, and the time at which it takes effect, in milliseconds since the epoch. */
  readonly pending?: { readonly policy: Policy; readonly at: number }
}

/** A request that waits for the approval of another device. */
export type SecondDeviceRequest = {
  readonly id: string
  readonly origin: string
  readonly rule: PolicyRule
  /** Two digits that both devices show. */
  readonly match: string
  readonly spending: Spending
  readonly expiresAt: number
}

/** `tooNew`: the device that approved has not been known for a day, or was removed. */
export type SecondDeviceState = 'waiting' | 'approved' | 'refused' | 'tooNew' | 'expired'

/** `behind`: the service returns an older policy, or none. `foreign`: its policy is not signed by this wallet. */
export type PolicyCopy = 'current' | 'behind' | 'foreign' | 'unreachable'

/** The result of a login. */
export type LoginResult =
  | { readonly user: HolderUser }
  | { readonly recoveryMethods: readonly RecoveryMethodInfo[] }
  /** The share store approves this device by the code of the provider's window. Continue with `awaitApproval`. */
  | { readonly needsCode: true }
  /** A known device has to approve this one. Continue with `awaitApproval`. */
  | { readonly needsDevice: DeviceWait }
