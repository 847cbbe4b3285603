/** The rule that a request exceeds. */
export type PolicyRule =
  /** Its effects are not fully known, so they count as above every limit. */
  | 'unknown'
  | 'daily'
  | 'single'
  | 'receiver'
  /** The sum of the day is unknown without both services. */
  | 'offline'
