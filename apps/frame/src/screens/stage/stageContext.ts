import type { FrameEvents } from '@latchkey/protocol'
import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { WatchVisibility } from './watchVisibility.ts'

/** Opens a window of this site. Returns `null` if the browser blocks it. */
export type OpenWindow = (url: string) => Pick<Window, 'closed' | 'close' | 'focus' | 'postMessage'> | null

/** The page and the platform functions that screens are shown with. */
export type StageContext = {
  /** Element that screens are drawn into. The page has no other content. */
  readonly root: HTMLElement
  /** Reports to the embedding page. */
  emit(event: FrameEvents['SCREEN']): void
  /** Texts in the current language. */
  messages(): Messages
  /** Origin of this site. */
  readonly origin: string
  /** Calls `act` later. Returns a function that cancels the call. Default: `setTimeout`. */
  later?(act: () => void, milliseconds: number): () => void
  /** Default: IntersectionObserver v2. Guarded screens open in a window if it returns `undefined`. */
  readonly watch?: WatchVisibility
  /** Default: `window.open`. */
  readonly open?: OpenWindow
}
