import { stretchCost, type Stretch } from './password.ts'

/** Argon2id, where this is called: in a worker of its own, for it takes about half a second and 64 MiB. */
export const stretchHere: Stretch = async (input, salt) => {
  const { argon2id } = await import('hash-wasm')
  return argon2id({ password: input, salt, ...stretchCost, outputType: 'binary' })
}
