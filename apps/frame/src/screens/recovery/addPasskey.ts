import { h } from '../dom.ts'
import { sentenceOf } from '../failure.ts'
import { button, layOut } from '../layout.ts'
import { drawWaiting, problemLine } from '../standing.ts'
import { afterwards } from '../steps.ts'
import { goingWays } from './goWay.ts'
import type { UsedPasskey } from './passkeys.ts'
import type { WaysStep } from './waysStep.ts'
import { drawPassword } from './addPassword.ts'

/** Offers to make a passkey; the browser asks by itself from then on. */
export function drawPasskey(step: WaysStep, failure?: string): void {
  const { words, steps, back, addElsewhere } = step
  const { ways: texts, common } = words
  const { line, say } = problemLine('problem')
  layOut(steps.root, {
    title: texts.passkeyTitle,
    content: [
      h('p', { class: 'hint' }, texts.passkeyIntro),
      line,
      failure === undefined || addElsewhere === undefined
        ? undefined
        : h('a', { class: 'button', href: addElsewhere, target: '_blank', rel: 'noopener' }, texts.elsewhere),
    ],
    actions: [
      button({ text: texts.create, look: 'primary', press: () => create(step) }),
      button({ text: common.cancel, look: 'quiet', press: () => back() }),
    ],
  })
  say(failure)
}

function create(step: WaysStep): void {
  const { words, steps, holder, passkeys, ways, userName } = step
  const except = ways.filter(({ method }) => method === 'passkey').map(({ id }) => id)
  drawWaiting(steps.root, { title: words.ways.creating, hint: words.ways.passkeyIntro })
  const ceremony = holder
    .passkeyAsk()
    .then((ask) => passkeys.create({ ...ask, userName, except, signal: steps.signal }))
  afterwards(steps, ceremony, {
    done(outcome) {
      if (outcome.kind === 'used') return save(step, outcome.passkey)
      if (outcome.kind === 'cancelled') return drawPasskey(step, words.ways.cancelled)
      drawUnable(step)
    },
    failed: (error) => drawPasskey(step, sentenceOf(error, words)),
  })
}

/** Without PRF a passkey keeps no key: nothing is stored, and the other way is offered. */
function drawUnable(step: WaysStep): void {
  const { words, steps, back, ways } = step
  const hasPassword = ways.some(({ method }) => method === 'password')
  const { line, say } = problemLine('problem')
  layOut(steps.root, {
    title: words.ways.passkeyTitle,
    content: [line],
    actions: [
      hasPassword
        ? undefined
        : button({ text: words.ways.addPassword, look: 'primary', press: () => drawPassword(step) }),
      button({ text: words.common.back, look: 'quiet', press: () => back() }),
    ],
  })
  say(words.ways.unable)
}

function save(step: WaysStep, { id, output, publicKey }: UsedPasskey): void {
  const { words, steps, holder, back } = step
  goingWays(steps, step, {
    act: (staying) => holder.addPasskey({ id, output, publicKey, facts: '{}' }, staying),
    done: () => back(words.ways.added),
    failed: (error) => drawPasskey(step, sentenceOf(error, words)),
    leave: back,
  })
}
