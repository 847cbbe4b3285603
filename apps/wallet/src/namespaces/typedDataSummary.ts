/** A message to sign: text, or bytes that are not valid UTF-8. */
export type Message = { kind: 'text'; text: string } | { kind: 'bytes'; hex: string }

/** Structured data to sign, as a tree in signing order. */
export type TypedDataSummary = {
  /** The type of the signed statement, for example `Permit`. */
  primaryType: string
  domain: readonly TypedNode[]
  message: readonly TypedNode[]
  /** The chain in the data if it differs from the chain of the request. */
  otherChain: string | undefined
}

/** A field of structured data: a leaf with its value, or a branch with its members. */
export type TypedNode = { name: string; type: string } & ({ value: string } | { members: readonly TypedNode[] })
