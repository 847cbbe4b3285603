import { Type, type Static } from '@sinclair/typebox'
import { base64urlSchema } from './parseBase64url.ts'

/** A challenge of the share store, the wallet's public key for the share store (Ed25519), and its signature. */
export const storeProofSchema = Type.Object({
  challenge: base64urlSchema(32),
  publicKey: base64urlSchema(32),
  signature: base64urlSchema(64),
})
export type StoreProof = Static<typeof storeProofSchema>
