import type { Clock, LoginAccountType, LoginNews, LoginState, Storage } from '@latchkey/core'
import type { LatchkeyError } from '@latchkey/protocol'
import type { OpenFrame } from './port.ts'
import type { Observable } from './state.ts'

/** What the connector is made of before anything is loaded, and shares with what is loaded later. */
export type Parts = {
  /** Where the frame's site is, without a slash at its end. */
  readonly site: string
  /** The page that a login's window shows at first. */
  readonly loading: string
  readonly projectId: string
  readonly name: string
  readonly icon: string | undefined
  readonly accountType: LoginAccountType | undefined
  readonly language: string | undefined
  readonly logs: boolean
  readonly clock: Clock
  readonly storage: Storage
  readonly open: OpenFrame
  readonly state: Observable<LoginState>
  readonly problem: { set(error: LatchkeyError | undefined): void }
  tell(news: LoginNews): void
}
