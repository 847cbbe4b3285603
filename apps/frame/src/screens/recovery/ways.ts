import type { Words } from '../../words/words.ts'
import type { ShownWay } from '../../worker/keyHolder.ts'
import { h, icon } from '../dom.ts'
import { sentenceOf } from '../failure.ts'
import { button, layOut } from '../layout.ts'
import { shownDate } from '../shownDate.ts'
import { doneBanner, drawFailure, drawWaiting } from '../standing.ts'
import type { Screen } from '../stage.ts'
import { afterwards, screenOf, type Steps } from '../steps.ts'
import { drawPasskey } from './addPasskey.ts'
import { drawPassword } from './addPassword.ts'
import { goingWays } from './goWay.ts'
import { custodyStatement } from './custodyStatement.ts'
import type { WaysParts, WaysStep } from './waysStep.ts'

/** The ways to get the wallet back: shown, added, removed. */
export function waysScreen(parts: WaysParts): Screen<'done'> {
  return screenOf((steps) => load(steps, parts))
}

function load(steps: Steps<'done'>, parts: WaysParts, done?: string): void {
  const { words, holder } = parts
  drawWaiting(steps.root, { title: words.ways.title })
  afterwards(steps, holder.ways(), {
    done: (ways) => drawList({ ...parts, steps, ways, back: (said) => load(steps, parts, said) }, done),
    failed: (error) =>
      drawFailure(steps.root, words, {
        title: words.ways.title,
        sentence: sentenceOf(error, words),
        retry: () => load(steps, parts),
        leave: () => steps.finish('done'),
      }),
  })
}

function drawList(step: WaysStep, done?: string): void {
  const { words, steps, ways, split } = step
  const { ways: texts, common } = words
  layOut(steps.root, {
    title: texts.title,
    content: [
      done === undefined ? undefined : doneBanner(done),
      h('p', { class: 'hint' }, texts.intro),
      h('ul', { class: 'rows' }, ...ways.map((way) => row(step, way))),
      ways.length === 1 ? h('p', { class: 'hint' }, texts.last) : undefined,
      h(
        'div',
        { class: 'group' },
        ways.some(({ method }) => method === 'password')
          ? undefined
          : button({ text: texts.addPassword, press: () => drawPassword(step) }),
        button({ text: texts.addPasskey, press: () => drawPasskey(step) }),
      ),
      custodyStatement(words, { ways, split }),
    ],
    actions: [button({ text: common.done, look: 'primary', press: () => steps.finish('done') })],
  })
}

function row(step: WaysStep, way: ShownWay): HTMLElement {
  const { words, ways } = step
  const { name, hint } = namesOf(way, words)
  const since = way.createdAt === undefined ? hint : words.common.since(shownDate(way.createdAt, words.locale))
  return h(
    'li',
    { class: 'row' },
    icon(way.method === 'auto' ? 'link' : way.method === 'password' ? 'lock' : 'key'),
    h('div', { class: 'text' }, h('p', { class: 'name' }, name), h('p', { class: 'sub' }, since)),
    ways.length === 1
      ? undefined
      : h(
          'button',
          {
            type: 'button',
            class: 'chip',
            'aria-label': words.ways.removeOf(name),
            on: { click: () => drawRemoval(step, way) },
          },
          words.ways.remove,
        ),
  )
}

/** What a way is called, and what it takes. */
function namesOf({ method }: ShownWay, { ways }: Words): { name: string; hint: string } {
  if (method === 'auto') return { name: ways.auto, hint: ways.autoHint }
  if (method === 'password') return { name: ways.password, hint: ways.passwordHint }
  return { name: ways.passkey, hint: ways.passkeyHint }
}

function drawRemoval(step: WaysStep, way: ShownWay): void {
  const { words, steps, holder, back } = step
  const { ways: texts, common } = words
  const { name } = namesOf(way, words)
  layOut(steps.root, {
    title: texts.removeTitle,
    content: [
      h('p', { class: 'name' }, name),
      h(
        'div',
        { class: 'banner', 'data-tone': way.method === 'auto' ? 'danger' : undefined },
        icon('warning'),
        h(
          'div',
          {},
          way.method === 'auto' ? h('p', {}, texts.removeAutoHint) : undefined,
          h('p', {}, texts.removeHint),
        ),
      ),
    ],
    actions: [
      button({ text: texts.remove, look: 'danger', press: remove }),
      button({ text: common.cancel, look: 'quiet', press: () => back() }),
    ],
  })

  function remove(): void {
    goingWays(steps, step, {
      act: (staying) => holder.removeWay(way.id, staying),
      done: () => back(texts.removed),
      failed: (error) =>
        drawFailure(steps.root, words, { sentence: sentenceOf(error, words), retry: remove, leave: back }),
      leave: back,
    })
  }
}
