import type { Latchkey } from '@latchkey/core'
import type { RenderFailure } from './emitRenderError.ts'

/**
 * Reports a part of the user interface that failed to render, as the event `render-error`. The event follows once its code
 * is loaded.
 *
 * @example reportRenderError(latchkey, { place: 'view', view: 'WalletSend', cause: error })
 */
export function reportRenderError(latchkey: Pick<Latchkey, 'events'>, failure: RenderFailure): void {
  void import('./emitRenderError.ts').then(
    ({ emitRenderError }) => emitRenderError(latchkey, failure),
    // React logs the failure in any case.
    () => {},
  )
}
