import { expect, test } from 'vitest'
import { applyTheme } from '../theme.ts'
import { h, createIcon } from './h.ts'
import { displayedOrigin } from './originLine.ts'

test('untrusted markup stays text', () => {
  const element = h('p', { title: '<b>' }, '<img src=x onerror=alert(1)>', undefined, h('b', {}, 'bold'))
  expect(element.outerHTML).toBe('<p title="&lt;b&gt;">&lt;img src=x onerror=alert(1)&gt;<b>bold</b></p>')
})

test.each(['onclick', 'ONCLICK', 'onpointerdown', 'style', 'srcdoc'])('h refuses the attribute %s', (name) => {
  expect(() => h('p', { [name]: 'alert(1)' })).toThrow(TypeError)
})

test('false and undefined attributes are omitted, and true ones are empty', () => {
  expect(h('input', { disabled: true, hidden: false, name: undefined, size: 3 }).outerHTML).toBe(
    '<input disabled="" size="3">',
  )
})

test('an event calls its handler', () => {
  let presses = 0
  h('button', { on: { click: () => void presses++ } }, 'Press').click()
  expect(presses).toBe(1)
})

test('an icon is hidden from screen readers', () => {
  expect(createIcon('warning').getAttribute('aria-hidden')).toBe('true')
})

test.each([
  ['https://app.example.org', ['https://app.', 'example.org', '']],
  ['https://shop.example.co.uk:8443', ['https://shop.', 'example.co.uk', ':8443']],
  ['https://ann.github.io', ['https://', 'ann.github.io', '']],
  ['http://localhost:5173', ['http://', 'localhost', ':5173']],
  ['http://127.0.0.1:80', ['http://', '127.0.0.1', '']],
  ['http://[::1]:5173', ['http://', '[::1]', ':5173']],
  ['https://example.org.evil.example', ['https://example.org.', 'evil.example', '']],
  ['no origin', ['', 'no origin', '']],
])('the owner of %s is emphasised', (origin, [before, domain, after]) => {
  expect(displayedOrigin(origin)).toEqual({ before, domain, after })
})

test('a theme sets known variables and resets missing ones [I-14]', () => {
  const { documentElement: root } = document
  applyTheme(document, { themeMode: 'dark', themeVariables: { '--latchkey-accent': 'red', '--_card': 'red' } })
  expect(root.dataset['theme']).toBe('dark')
  expect(root.style.getPropertyValue('--latchkey-accent')).toBe('red')
  expect(root.style.getPropertyValue('--_card')).toBe('')
  applyTheme(document, {})
  expect([root.dataset['theme'], root.style.length]).toEqual([undefined, 0])
})
