import { h, type Child } from '../screens/elements/h.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type { Amount, Field, Value } from './approvalFacts.ts'
import { longestShown, splitVisibleText } from './splitVisibleText.ts'

/**
 * Draws untrusted text: isolated from the direction of its neighbours, with every hidden character spelled out [G-05].
 */
export function untrustedText(text: string, messages: Messages, options: { lines?: boolean } = {}): HTMLElement {
  const drawn = splitVisibleText(text, options).map((piece) =>
    typeof piece === 'string' ? piece : h('span', { class: 'hidden-character' }, piece.hidden),
  )
  const left = Math.max(0, text.length - longestShown)
  const rest =
    left === 0
      ? undefined
      : h(
          'span',
          { class: 'hint' },
          ` ${messages.approve.values.more({ characters: formatUnits(BigInt(left), messages) })}`,
        )
  return h('bdi', { class: options.lines === true ? 'untrusted lines' : 'untrusted' }, ...drawn, rest)
}

/** Draws a full address. A shortened one can be imitated. */
export function addressText(address: string): HTMLElement {
  return h('bdi', { class: 'address' }, address)
}

/** Draws an amount with all digits, unrounded. */
export function amountText(amount: Amount, messages: Messages): HTMLElement {
  return h('span', { class: 'figures' }, formatFigures(amount, messages), ...drawSymbol(amount.symbol, messages))
}

/** Formats an amount for a sentence. The symbol is untrusted, so the sentence is drawn as untrusted text. */
export function formatAmount(amount: Amount, messages: Messages): string {
  const figures = formatFigures(amount, messages)
  return amount.symbol === undefined ? figures : `${figures} ${amount.symbol}`
}

function formatFigures({ units, decimals }: Amount, messages: Messages): string {
  return decimals === undefined
    ? messages.approve.values.units({ amount: formatUnits(units, messages) })
    : formatDecimal(units, decimals, messages)
}

function drawSymbol(symbol: string | undefined, messages: Messages): readonly Child[] {
  return symbol === undefined ? [] : [' ', untrustedText(symbol, messages)]
}

function formatUnits(units: bigint, messages: Messages): string {
  return new Intl.NumberFormat(messages.locale).format(units)
}

function formatDecimal(units: bigint, decimals: number, messages: Messages): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = formatUnits(BigInt(digits.slice(0, digits.length - decimals)), messages)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const point =
    new Intl.NumberFormat(messages.locale).formatToParts(1.1).find(({ type }) => type === 'decimal')?.value ?? '.'
  return `${units < 0n ? '−' : ''}${whole}${fraction === '' ? '' : point + fraction}`
}

/** Draws the value of a row. */
export function drawValue(value: Value, messages: Messages): Child {
  const texts = messages.approve.values
  switch (value.kind) {
    case 'text':
      return value.text === '' ? texts.empty : untrustedText(value.text, messages, { lines: true })
    case 'address':
      return h(
        'span',
        {},
        ...(value.name === undefined ? [] : [untrustedText(value.name, messages), ' ']),
        addressText(value.address),
      )
    case 'amount':
      return amountText(value.amount, messages)
    case 'unlimited':
      return value.symbol === undefined
        ? texts.unlimited
        : h('span', {}, untrustedText(texts.unlimitedOf({ symbol: value.symbol }), messages))
    case 'everything':
      return texts.everything
    case 'none':
      return texts.none
    case 'nothing':
      return texts.nothing
    case 'code':
      return h('bdi', { class: 'code', tabindex: 0, role: 'group', 'aria-label': texts.code }, truncateText(value.text))
    case 'time':
      return new Intl.DateTimeFormat(messages.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(value.at)
    case 'fields':
      return value.fields.length === 0 ? texts.empty : fieldList(value.fields, messages)
  }
}

function truncateText(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}… (${text.length})` : text
}

function fieldList(fields: readonly Field[], messages: Messages): HTMLElement {
  const rows = fields.flatMap((field) => [
    h('dt', {}, untrustedText(field.name, messages)),
    h('dd', {}, 'fields' in field ? fieldList(field.fields, messages) : drawLeaf(field, messages)),
  ])
  return h('dl', { class: 'fields' }, ...rows)
}

function drawLeaf({ type, value }: { type: string; value: string }, messages: Messages): Child {
  if (type === 'address') return addressText(value)
  if (type.startsWith('bytes')) return h('bdi', { class: 'code' }, truncateText(value))
  return value === '' ? messages.approve.values.empty : untrustedText(value, messages, { lines: true })
}
