import type { ViewName } from './navigation/views.ts'

/** The events that the modal adds to those of an instance. */
export type ModalEventPayloads = { 'modal-open': { view: ViewName }; 'modal-close': object }

declare module '@latchkey/core' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface LatchkeyEventPayloads {
    'modal-open': ModalEventPayloads['modal-open']
    'modal-close': ModalEventPayloads['modal-close']
  }
}
