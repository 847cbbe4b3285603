import { h, type Child } from '../screens/elements/h.ts'
import type { Words } from '../messages/loadWords.ts'
import type { Amount, Field, Value } from './approvalFacts.ts'
import { longestShown, splitVisibleText } from './splitVisibleText.ts'

/**
 * Draws foreign text: isolated from the direction of its neighbours, with every hidden character spelled out [G-05].
 */
export function foreignText(text: string, words: Words, options: { lines?: boolean } = {}): HTMLElement {
  const drawn = splitVisibleText(text, options).map((piece) =>
    typeof piece === 'string' ? piece : h('span', { class: 'hidden-character' }, piece.hidden),
  )
  const left = Math.max(0, text.length - longestShown)
  const rest =
    left === 0
      ? undefined
      : h('span', { class: 'hint' }, ` ${words.approve.values.more({ characters: number(BigInt(left), words) })}`)
  return h('bdi', { class: options.lines === true ? 'foreign lines' : 'foreign' }, ...drawn, rest)
}

/** Draws a full address. A shortened one can be imitated. */
export function addressText(address: string): HTMLElement {
  return h('bdi', { class: 'address' }, address)
}

/** Draws an amount with all digits, unrounded. */
export function amountText(amount: Amount, words: Words): HTMLElement {
  return h('span', { class: 'figures' }, formatFigures(amount, words), ...named(amount.symbol, words))
}

/** Formats an amount for a sentence. The symbol is untrusted, so the sentence is drawn as foreign text. */
export function formatAmount(amount: Amount, words: Words): string {
  const figures = formatFigures(amount, words)
  return amount.symbol === undefined ? figures : `${figures} ${amount.symbol}`
}

function formatFigures({ units, decimals }: Amount, words: Words): string {
  return decimals === undefined
    ? words.approve.values.units({ amount: number(units, words) })
    : decimal(units, decimals, words)
}

function named(symbol: string | undefined, words: Words): readonly Child[] {
  return symbol === undefined ? [] : [' ', foreignText(symbol, words)]
}

function number(units: bigint, words: Words): string {
  return new Intl.NumberFormat(words.locale).format(units)
}

function decimal(units: bigint, decimals: number, words: Words): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = number(BigInt(digits.slice(0, digits.length - decimals)), words)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const point =
    new Intl.NumberFormat(words.locale).formatToParts(1.1).find(({ type }) => type === 'decimal')?.value ?? '.'
  return `${units < 0n ? '−' : ''}${whole}${fraction === '' ? '' : point + fraction}`
}

/** Draws the value of a row. */
export function drawValue(value: Value, words: Words): Child {
  const texts = words.approve.values
  switch (value.kind) {
    case 'text':
      return value.text === '' ? texts.empty : foreignText(value.text, words, { lines: true })
    case 'address':
      return h(
        'span',
        {},
        ...(value.name === undefined ? [] : [foreignText(value.name, words), ' ']),
        addressText(value.address),
      )
    case 'amount':
      return amountText(value.amount, words)
    case 'unlimited':
      return value.symbol === undefined
        ? texts.unlimited
        : h('span', {}, foreignText(texts.unlimitedOf({ symbol: value.symbol }), words))
    case 'everything':
      return texts.everything
    case 'none':
      return texts.none
    case 'nothing':
      return texts.nothing
    case 'code':
      return h('bdi', { class: 'code', tabindex: 0, role: 'group', 'aria-label': texts.code }, cut(value.text))
    case 'time':
      return new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(value.at)
    case 'fields':
      return value.fields.length === 0 ? texts.empty : fieldList(value.fields, words)
  }
}

function cut(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}… (${text.length})` : text
}

function fieldList(fields: readonly Field[], words: Words): HTMLElement {
  const rows = fields.flatMap((field) => [
    h('dt', {}, foreignText(field.name, words)),
    h('dd', {}, 'fields' in field ? fieldList(field.fields, words) : leaf(field, words)),
  ])
  return h('dl', { class: 'fields' }, ...rows)
}

function leaf({ type, value }: { type: string; value: string }, words: Words): Child {
  if (type === 'address') return addressText(value)
  if (type.startsWith('bytes')) return h('bdi', { class: 'code' }, cut(value))
  return value === '' ? words.approve.values.empty : foreignText(value, words, { lines: true })
}
