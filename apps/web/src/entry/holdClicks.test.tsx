import { expect, onTestFinished, test } from 'vitest'
import { holdClicks } from './holdClicks.ts'

/** A page with a button and a link, which record their clicks. */
function createPage(): { button: HTMLButtonElement; link: HTMLAnchorElement; clicks: string[] } {
  const clicks: string[] = []
  const button = document.createElement('button')
  const link = document.createElement('a')
  link.href = '#target'
  for (const element of [button, link]) element.addEventListener('click', () => clicks.push(element.localName))
  document.body.append(button, link)
  onTestFinished(() => {
    button.remove()
    link.remove()
  })
  return { button, link, clicks }
}

test('holdClicks repeats the last click on a button once it is released', () => {
  const { button, clicks } = createPage()
  const release = holdClicks(document)
  button.click()
  button.click()
  expect(clicks).toEqual([])
  release()
  expect(clicks).toEqual(['button'])
})

test('holdClicks repeats the click on the button that replaced the clicked one', () => {
  const { button, clicks } = createPage()
  button.innerHTML = '<style>span { color: green }</style><span>Connect</span>'
  const release = holdClicks(document)
  button.click()
  const { button: other } = createPage()
  other.textContent = 'Open'
  const { button: replacement, clicks: repeated } = createPage()
  replacement.textContent = ' Connect '
  button.remove()
  release()
  expect(clicks).toEqual([])
  expect(repeated).toEqual(['button'])
})

test('holdClicks drops the click if the page no longer has such a button', () => {
  const { button, clicks } = createPage()
  button.textContent = 'Connect'
  const release = holdClicks(document)
  button.click()
  button.remove()
  release()
  expect(clicks).toEqual([])
})

test('holdClicks leaves links alone', () => {
  const { link, clicks } = createPage()
  const release = holdClicks(document)
  link.click()
  expect(clicks).toEqual(['a'])
  release()
  expect(clicks).toEqual(['a'])
})

test('holdClicks does nothing after its release', () => {
  const { button, clicks } = createPage()
  const release = holdClicks(document)
  release()
  button.click()
  release()
  expect(clicks).toEqual(['button'])
})
