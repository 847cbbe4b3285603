import type { ViewName } from './navigation/views.ts'
import type { RenderErrorPayload } from './notices/emitRenderError.ts'

/** The events that the modal adds to those of an instance. */
export type ModalEventPayloads = {
  'modal-open': { view: ViewName }
  'modal-close': object
  /** A part of the user interface threw an error while it rendered. The rest of the page still works. */
  'render-error': RenderErrorPayload
}

declare module '@latchkey/core' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface LatchkeyEventPayloads {
    'modal-open': ModalEventPayloads['modal-open']
    'modal-close': ModalEventPayloads['modal-close']
    'render-error': ModalEventPayloads['render-error']
  }
}
