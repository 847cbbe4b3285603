import { h, icon, type Child } from '../screens/elements/h.ts'
import { button, drawLayout } from '../screens/elements/layout.ts'
import { originLine } from '../screens/elements/originLine.ts'
import type { Screen } from '../screens/stage/stage.ts'
import type { Words } from '../messages/loadWords.ts'
import type { AllowanceChange, Banner, Change, Changes, ApprovalFacts, Row, Section } from './approvalFacts.ts'
import { addressText, amountText, foreignText, formatAmount, drawValue } from './drawValue.ts'

/** The user's decision. */
export type ApprovalAnswer = 'approved' | 'rejected'

/**
 * Draws an approval screen: the page, the account, the effects and the warnings. With a warning, Reject has the focus.
 *
 * @example await stage.show(approvalScreen(facts, words), { signal }) === 'approved'
 */
export function approvalScreen(facts: ApprovalFacts, words: Words): Screen<ApprovalAnswer> {
  return {
    guarded: facts.isRefused !== true,
    window: { drawing: 'approval', facts },
    draw(root, finish) {
      const texts = words.approve
      const reject = button({
        text: facts.isRefused === true ? texts.close : texts.reject,
        press: () => finish('rejected'),
      })
      const approve = button({ text: texts.approve, look: 'primary', guarded: true, press: () => finish('approved') })
      const actions = facts.isRefused === true ? [reject] : [approve, reject]
      drawLayout(root, { title: texts.titles[facts.action], content: contentOf(facts, words), actions })
      root.querySelector('.actions')?.setAttribute('data-side', '')
      if (facts.banners.length > 0) reject.focus({ preventScroll: true })
      return () => root.replaceChildren()
    },
  }
}

function contentOf(facts: ApprovalFacts, words: Words): readonly Child[] {
  const { origin, account, network, banners, sections, changes, fee, waiting = 0 } = facts
  const texts = words.approve
  const pair = (label: string, value: Child): readonly Child[] => [h('dt', {}, label), h('dd', {}, value)]
  return [
    h('dl', { class: 'facts who' }, ...pair(texts.asks, originLine(origin))),
    ...banners.map((banner) => bannerOf(banner, words)),
    ...sections.filter(({ isFolded }) => isFolded !== true).map((section, at) => sectionOf(section, at, words)),
    changes === undefined ? undefined : changesOf(changes, words),
    h(
      'dl',
      { class: 'facts' },
      ...(fee === undefined ? [] : pair(texts.fee, amountText(fee, words))),
      ...pair(texts.account, addressText(account)),
      ...pair(texts.network, foreignText(network.name, words)),
    ),
    ...sections.filter(({ isFolded }) => isFolded === true).map((section, at) => sectionOf(section, at, words)),
    waiting > 0 ? h('p', { class: 'hint' }, texts.waiting) : undefined,
  ]
}

function sectionOf({ title, rows, isFolded }: Section, at: number, words: Words): HTMLElement {
  const { sections, labels } = words.approve
  const list = h('dl', { class: 'facts' }, ...rows.flatMap((row) => rowOf(row, labels[row.label], words)))
  const heading =
    title === undefined ? undefined : title === 'step' ? sections.step({ number: String(at + 1) }) : sections[title]
  if (isFolded === true) return h('details', { class: 'group' }, h('summary', {}, heading), list)
  return h('div', { class: 'group' }, heading === undefined ? undefined : h('h2', {}, heading), list)
}

function rowOf({ value, count }: Row, label: string, words: Words): readonly Child[] {
  return [h('dt', {}, count === undefined ? label : `${label} ${count}`), h('dd', {}, drawValue(value, words))]
}

function changesOf(changes: Changes, words: Words): HTMLElement {
  const texts = words.approve.changes
  return h('div', { class: 'group changes' }, h('h2', {}, texts.title), ...changeLines(changes, words))
}

function changeLines(changes: Changes, words: Words): readonly Child[] {
  const texts = words.approve.changes
  if (changes.kind === 'unknown') return [h('p', { class: 'hint' }, texts.unknown)]
  if (changes.kind === 'fails') return [h('p', { class: 'hint' }, texts.fails)]
  const { list, allowances = [] } = changes
  if (list.length === 0 && allowances.length === 0) return [h('p', { class: 'hint' }, texts.nothing)]
  const lines = [
    ...list.map((change) => balanceLine(change, words)),
    ...allowances.map((change) => allowanceLine(change, words)),
  ]
  return [h('ul', { class: 'change-list' }, ...lines)]
}

function balanceLine({ units, decimals, symbol, asset, item }: Change, words: Words): HTMLElement {
  const { send, receive } = words.approve.changes
  const isIncoming = units > 0n
  const written = formatAmount({ units: isIncoming ? units : -units, decimals, symbol }, words)
  const amount = item === undefined ? written : `${written} ${item}`
  const text = foreignText((isIncoming ? receive : send)({ amount }), words)
  const whose = asset === undefined || symbol !== undefined ? undefined : addressText(asset)
  return h('li', { 'data-sign': isIncoming ? 'in' : 'out' }, text, ' ', whose)
}

function allowanceLine(change: AllowanceChange, words: Words): HTMLElement {
  const texts = words.approve.changes
  const { spender, asset, symbol = asset } = change
  const sentence = (): string => {
    switch (change.kind) {
      case 'none':
        return texts.cannotSpend({ spender, symbol })
      case 'unlimited':
        return texts.canSpendAll({ spender, symbol })
      case 'everything':
        return texts.canMoveAll({ spender, collection: symbol })
      case 'amount':
        return texts.canSpend({ spender, amount: formatAmount(change.amount, words) })
    }
  }
  return h('li', { 'data-sign': 'allowance' }, foreignText(sentence(), words))
}

function bannerOf(banner: Banner, words: Words): HTMLElement {
  const [title, hint] = bannerTexts(banner, words)
  return h(
    'div',
    { class: 'banner', 'data-tone': 'danger', role: 'alert' },
    icon('warning'),
    h('div', {}, h('strong', {}, title), hint),
  )
}

/** Sentences that repeat foreign text are isolated like the text itself. */
function bannerTexts(banner: Banner, words: Words): readonly [string, Child] {
  const texts = words.approve.banners
  const title = texts[banner.kind]
  switch (banner.kind) {
    case 'otherChain':
      return [title, foreignText(texts.otherChainHint({ chain: banner.chainId }), words)]
    case 'foreignDomain':
      return [title, foreignText(texts.foreignDomainHint({ domain: banner.domain }), words)]
    case 'lookAlike':
      return [title, foreignText(texts.lookAlikeHint({ known: banner.known }), words)]
    case 'fails':
      return [title, foreignText(texts.failsHint({ reason: banner.reason }), words)]
    default:
      return [title, texts[`${banner.kind}Hint`]]
  }
}
