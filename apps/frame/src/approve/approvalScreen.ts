import { h, createIcon, type Child } from '../screens/elements/h.ts'
import { createButton, drawLayout } from '../screens/elements/layout.ts'
import { originLine } from '../screens/elements/originLine.ts'
import type { Screen } from '../screens/stage/stage.ts'
import type { AssetAmount } from '../policy/policy.ts'
import { amountLines } from '../screens/policy/spendingFacts.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type {
  AllowanceChange,
  Banner,
  Change,
  Changes,
  ApprovalFacts,
  Row,
  Section,
  ShownLimit,
} from './approvalFacts.ts'
import { addressText, amountText, untrustedText, formatAmount, drawValue } from './drawValue.ts'

/** The user's decision. */
export type ApprovalDecision = 'approved' | 'rejected'

/**
 * Draws an approval screen: the page, the account, the effects and the warnings. With a warning, Reject has the focus.
 *
 * @example await stage.show(approvalScreen(facts, messages), { signal }) === 'approved'
 */
export function approvalScreen(facts: ApprovalFacts, messages: Messages): Screen<ApprovalDecision> {
  return {
    guarded: facts.isRefused !== true,
    window: { drawing: 'approval', facts },
    draw(root, finish) {
      const texts = messages.approve
      const reject = createButton({
        text: facts.isRefused === true ? texts.close : texts.reject,
        press: () => finish('rejected'),
      })
      const approve = createButton({
        text: texts.approve,
        look: 'primary',
        guarded: true,
        press: () => finish('approved'),
      })
      const actions = facts.isRefused === true ? [reject] : [approve, reject]
      drawLayout(root, { title: texts.titles[facts.action], content: contentOf(facts, messages), actions })
      root.querySelector('.actions')?.setAttribute('data-side', '')
      if (facts.banners.length > 0) reject.focus({ preventScroll: true })
      return () => root.replaceChildren()
    },
  }
}

function contentOf(facts: ApprovalFacts, messages: Messages): readonly Child[] {
  const { origin, account, network, banners, sections, changes, fee, limit, waiting = 0 } = facts
  const texts = messages.approve
  const pair = (label: string, value: Child): readonly Child[] => [h('dt', {}, label), h('dd', {}, value)]
  return [
    h('dl', { class: 'facts who' }, ...pair(texts.asks, originLine(origin))),
    ...banners.map((banner) => bannerOf(banner, messages)),
    limit === undefined ? undefined : limitNotice(limit, messages),
    ...sections.filter(({ isFolded }) => isFolded !== true).map((section, at) => sectionOf(section, at, messages)),
    changes === undefined ? undefined : changesOf(changes, messages),
    h(
      'dl',
      { class: 'facts' },
      ...(fee === undefined ? [] : pair(texts.fee, amountText(fee, messages))),
      ...pair(texts.account, addressText(account)),
      ...pair(texts.network, untrustedText(network.name, messages)),
    ),
    ...sections.filter(({ isFolded }) => isFolded === true).map((section, at) => sectionOf(section, at, messages)),
    waiting > 0 ? h('p', { class: 'hint' }, texts.waiting) : undefined,
  ]
}

function sectionOf({ title, rows, isFolded }: Section, at: number, messages: Messages): HTMLElement {
  const { sections, labels } = messages.approve
  const list = h('dl', { class: 'facts' }, ...rows.flatMap((row) => rowOf(row, labels[row.label], messages)))
  const heading =
    title === undefined ? undefined : title === 'step' ? sections.step({ number: String(at + 1) }) : sections[title]
  if (isFolded === true) return h('details', { class: 'group' }, h('summary', {}, heading), list)
  return h('div', { class: 'group' }, heading === undefined ? undefined : h('h2', {}, heading), list)
}

function rowOf({ value, count }: Row, label: string, messages: Messages): readonly Child[] {
  return [h('dt', {}, count === undefined ? label : `${label} ${count}`), h('dd', {}, drawValue(value, messages))]
}

function changesOf(changes: Changes, messages: Messages): HTMLElement {
  const texts = messages.approve.changes
  return h('div', { class: 'group changes' }, h('h2', {}, texts.title), ...changeLines(changes, messages))
}

function changeLines(changes: Changes, messages: Messages): readonly Child[] {
  const texts = messages.approve.changes
  if (changes.kind === 'unknown') return [h('p', { class: 'hint' }, texts.unknown)]
  if (changes.kind === 'fails') return [h('p', { class: 'hint' }, texts.fails)]
  const { list, allowances = [] } = changes
  if (list.length === 0 && allowances.length === 0) return [h('p', { class: 'hint' }, texts.nothing)]
  const lines = [
    ...list.map((change) => balanceLine(change, messages)),
    ...allowances.map((change) => allowanceLine(change, messages)),
  ]
  return [h('ul', { class: 'change-list' }, ...lines)]
}

function balanceLine({ units, decimals, symbol, asset, item }: Change, messages: Messages): HTMLElement {
  const { send, receive } = messages.approve.changes
  const isIncoming = units > 0n
  const written = formatAmount({ units: isIncoming ? units : -units, decimals, symbol }, messages)
  const amount = item === undefined ? written : `${written} ${item}`
  const text = untrustedText((isIncoming ? receive : send)({ amount }), messages)
  const whose = asset === undefined || symbol !== undefined ? undefined : addressText(asset)
  return h('li', { 'data-sign': isIncoming ? 'in' : 'out' }, text, ' ', whose)
}

function allowanceLine(change: AllowanceChange, messages: Messages): HTMLElement {
  const texts = messages.approve.changes
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
        return texts.canSpend({ spender, amount: formatAmount(change.amount, messages) })
    }
  }
  return h('li', { 'data-sign': 'allowance' }, untrustedText(sentence(), messages))
}

function bannerOf(banner: Banner, messages: Messages): HTMLElement {
  const [title, hint] = bannerTexts(banner, messages)
  return h(
    'div',
    { class: 'banner', 'data-tone': 'danger', role: 'alert' },
    createIcon('warning'),
    h('div', {}, h('strong', {}, title), hint),
  )
}

/** Names the rule before the user decides, because only a second device can lift it. */
function limitNotice({ rule, limits, spent, assets }: ShownLimit, messages: Messages): HTMLElement {
  const { policy: texts } = messages
  const pair = (label: string, amounts: readonly AssetAmount[]): readonly Child[] =>
    amounts.length === 0 ? [] : [h('dt', {}, label), h('dd', {}, ...amountLines(amounts, assets, messages))]
  return h(
    'div',
    { class: 'banner', role: 'alert' },
    createIcon('lock'),
    h(
      'div',
      { class: 'group' },
      h('strong', {}, texts.needsSecond),
      h('p', {}, texts.rules[rule]),
      h(
        'dl',
        { class: 'facts' },
        ...pair(rule === 'single' ? texts.single : texts.daily, limits),
        ...pair(texts.spent, spent),
      ),
    ),
  )
}

/** Sentences that repeat untrusted text are isolated like the text itself. */
function bannerTexts(banner: Banner, messages: Messages): readonly [string, Child] {
  const texts = messages.approve.banners
  const title = texts[banner.kind]
  switch (banner.kind) {
    case 'otherChain':
      return [title, untrustedText(texts.otherChainHint({ chain: banner.chainId }), messages)]
    case 'foreignDomain':
      return [title, untrustedText(texts.foreignDomainHint({ domain: banner.domain }), messages)]
    case 'lookAlike':
      return [title, untrustedText(texts.lookAlikeHint({ known: banner.known }), messages)]
    case 'fails':
      return [title, untrustedText(texts.failsHint({ reason: banner.reason }), messages)]
    default:
      return [title, texts[`${banner.kind}Hint`]]
  }
}
