import { stretchHere } from '../custody/stretch.ts'

/** What is to be stretched. The bytes are the worker's own copies. */
export type KdfOrder = { readonly input: Uint8Array; readonly salt: Uint8Array }

// The one place that compiles WebAssembly: it has nobody to talk to, and is gone after one answer.
self.addEventListener('message', async ({ data }: MessageEvent<KdfOrder>) => {
  const { input, salt } = data
  const stretched = await stretchHere(input, salt)
  input.fill(0)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  self.postMessage(stretched)
})
