import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { KeyHolder, RecoveryMethodInfo, RecoveryStatus } from '../../worker/keyHolder.ts'
import type { Steps } from '../stage/steps.ts'
import type { Passkeys } from './passkeys.ts'

/** Properties of the recovery screen. */
export type RecoveryMethodsScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<
    KeyHolder,
    | 'recoveryMethods'
    | 'recoveryStatus'
    | 'addPassword'
    | 'addPasskey'
    | 'createPasskeyRequest'
    | 'removeRecoveryMethod'
  >
  readonly passkeys: Passkeys
  /** E-mail address or name of the login. Passkeys are stored under it, and no password may consist of it. */
  readonly userName: string
  /** True if two operators keep the key shares. */
  readonly split: boolean
  /** Host of the relay of the user's Farcaster logins. */
  readonly relay?: string | undefined
  /** Top-level page that creates passkeys, for browsers that refuse to create one in a frame. */
  readonly addElsewhere?: string
  /** Confirmation of the last action. */
  readonly notice?: string
}

/** The user is done, or wants to rehearse a method. */
export type RecoveryChoice = 'done' | { readonly rehearse: RecoveryMethodInfo }

/** Properties of each step of the recovery screen. */
export type RecoveryMethodsStep = RecoveryMethodsScreenProps & {
  readonly steps: Steps<RecoveryChoice>
  readonly methods: readonly RecoveryMethodInfo[]
  /** Undefined if a service can't be reached. */
  readonly status: RecoveryStatus | undefined
  /** Loads the list again and confirms the last action. */
  back(this: void, done?: string): void
}
