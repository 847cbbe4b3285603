import { modalMessages, type ModalMessages } from './generated/index.ts'

/** The sentences for the reasons why a chain refuses a transaction, by kind. */
export type Reasons = ModalMessages['reasons']

/** The reasons that nodes and contracts give in their own words, in English or as the name of an error. */
const patterns: readonly (readonly [kind: keyof Reasons, pattern: RegExp])[] = [
  ['late', /expired before/i],
  ['allowance', /allowance|not approved|transfer_?from_?failed/i],
  ['price', /slippage|too little received|insufficient.?output|price moved|expired|deadline/i],
  ['paused', /paused?/i],
  ['address', /black.?list|block.?list|denied|frozen|invalid(?:receiver|sender)|zero address|not allowed/i],
  ['balance', /insufficient|exceeds.{0,12}balance|not enough|underflow|custom program error: 0x1$/i],
]

/**
 * Describes why a chain refuses a transaction. The text of a node or a contract is never shown: it is English jargon, or
 * anything that the author of a contract wrote, such as an address of a phishing site.
 *
 * @param reason the text of the node or the contract
 * @param reasons the sentences in the current language; English if omitted
 * @returns one of the sentences
 * @example reasonText('ERC20: transfer amount exceeds balance') // 'the balance is too low.'
 */
export function reasonText(reason: string, reasons: Reasons = modalMessages.english.reasons): string {
  const kind = patterns.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'other'
  return reasons[kind]
}
