/** The part of a document that tells if it is visible to the user. */
export type TrackedPage = Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
  readonly visibilityState: DocumentVisibilityState
}
