import { createErrors, type LatchkeyError } from '@latchkey/protocol'
import type { Latchkey } from '@latchkey/core'
import type { ViewName } from '../navigation/views.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'render/failed': { place: 'button' | 'modal' | 'view' }
  }
}

const renderError = createErrors({
  'render/failed': ({ place }) =>
    `The ${place} failed to render. Its place shows a button to try again. The cause has the reason: please report it.`,
})

/** A part of the user interface that failed to render. */
export type RenderErrorPayload = {
  place: 'button' | 'modal' | 'view'
  /** The view, if the place is one. */
  view: ViewName | undefined
  /** `render/failed`, with the thrown value as its cause. */
  error: LatchkeyError<'render/failed'>
}

/** A failure to report. */
export type RenderFailure = Omit<RenderErrorPayload, 'error'> & { cause: unknown }

/** Emits the event `render-error`. */
export function emitRenderError(latchkey: Pick<Latchkey, 'events'>, { place, view, cause }: RenderFailure): void {
  const error = renderError('render/failed', { place }, { cause })
  latchkey.events.emit({ type: 'render-error', place, view, error })
}
