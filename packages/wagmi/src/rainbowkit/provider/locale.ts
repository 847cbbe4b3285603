/** A BCP 47 tag. English is used for languages that Latchkey does not have. */
export type Locale = string
