import type { Words } from '../../words/words.ts'
import type { KeyHolder, ShownWay } from '../../worker/keyHolder.ts'
import type { Steps } from '../steps.ts'
import type { Passkeys } from './passkeys.ts'

/** What the screen of recovery needs. */
export type WaysParts = {
  readonly words: Words
  readonly holder: Pick<KeyHolder, 'ways' | 'addPassword' | 'addPasskey' | 'passkeyAsk' | 'removeWay'>
  readonly passkeys: Passkeys
  /** The address or name of the login: a passkey is kept under it, and no password may consist of it. */
  readonly userName: string
  /** Whether two operators' services keep the parts. */
  readonly split: boolean
  /** A page of this site's own where a passkey can be made, for browsers that refuse to make one in a frame. */
  readonly addElsewhere?: string
}

/** What each step of the screen goes on with. */
export type WaysStep = WaysParts & {
  readonly steps: Steps<'done'>
  readonly ways: readonly ShownWay[]
  /** Asks for the list again, and says what was done. */
  back(this: void, done?: string): void
}
