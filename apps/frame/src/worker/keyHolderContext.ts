import type { StretchPassword } from '../custody/passwordKey.ts'
import type { FarcasterContext } from './login/beginFarcasterLogin.ts'
import type { HolderStore } from './storage/holderStore.ts'

/** Configuration and platform functions of the key holder. */
export type KeyHolderContext = {
  readonly authUrl: string
  readonly sharesUrl: string
  readonly projectId: string
  /** `undefined` if the deployment offers no login with Farcaster. */
  readonly farcaster?: FarcasterContext | undefined
  /** True if another page embeds this one. Then the holder reveals no secret. */
  readonly isFramed: boolean
  readonly store: HolderStore
  readonly stretch: StretchPassword
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `act` later. Returns a function that cancels the call. */
  later(act: () => void, milliseconds: number): () => void
  /** Serialises work across all windows of this site. */
  alone<result>(act: () => Promise<result>): Promise<result>
}
