import type { LoginAppearance, LoginEvent, LoginState } from '@latchkey/core'
import type { LatchkeyError } from '@latchkey/protocol'
import type { EmbeddedOptions } from './embeddedOptions.ts'
import type { Observable } from './observable.ts'

/** Values that the connector passes to its lazily loaded wallet. */
export type EmbeddedContext = Pick<
  EmbeddedOptions,
  'releases' | 'projectId' | 'icon' | 'accountType' | 'language' | 'enableLogger' | 'storage' | 'clock' | 'open'
> & {
  /** Origin of the frame, without a trailing slash. */
  readonly frameOrigin: string
  readonly name: string
  readonly state: Observable<LoginState>
  /** Look of the frame's screens. `undefined` until the modal sets it. */
  readonly appearance: Observable<LoginAppearance | undefined>
  /** The latest error. */
  readonly failure: Observable<LatchkeyError | undefined>
  emit(event: LoginEvent): void
}
