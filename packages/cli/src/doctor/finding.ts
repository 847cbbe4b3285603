/** `problem` prevents users from connecting or sending, `warning` may. */
export type Severity = 'problem' | 'warning' | 'ok'

/** A result of `doctor`. `advice` says what to do. */
export type Finding = { readonly severity: Severity; readonly text: string; readonly advice?: string }
