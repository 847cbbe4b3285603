import type { LoginLook, LoginNews, LoginState } from '@latchkey/core'
import type { LatchkeyError } from '@latchkey/protocol'
import type { EmbeddedOptions } from './embedded.ts'
import type { Observable } from './state.ts'

/** What the connector is made of before anything is loaded, and shares with what is loaded later. */
export type Parts = Pick<
  EmbeddedOptions,
  'projectId' | 'icon' | 'accountType' | 'language' | 'enableLogger' | 'storage' | 'clock' | 'open'
> & {
  /** Where the frame's site is, without a slash at its end. */
  readonly site: string
  readonly name: string
  readonly state: Observable<LoginState>
  /** How its own screens should look; undefined before anybody said so. */
  readonly look: Observable<LoginLook | undefined>
  failed(error: LatchkeyError): void
  tell(news: LoginNews): void
}
