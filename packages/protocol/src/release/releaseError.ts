import { createErrors, type ErrorMaker } from '../errors.ts'

/** Errors of a frame's release: its manifest and its signatures. */
export const releaseError: ErrorMaker<'release/invalid'> = createErrors({
  'release/invalid': ({ reason }) => `The release of the frame is not valid: ${reason}. Use no wallet on this site.`,
})
