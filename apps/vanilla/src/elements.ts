/**
 * Finds an element of the page.
 *
 * @throws Error if the page has no such element
 */
export function getElement<element extends HTMLElement>(selector: string, type: new () => element): element {
  const found = document.querySelector(selector)
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}.`)
  return found
}

/**
 * Runs an action when a form is submitted, and writes its result or its error into the form's output.
 *
 * @param act receives the value of each field by name
 */
export function onSubmit(selector: string, act: (field: (name: string) => string) => Promise<string>): void {
  const form = getElement(selector, HTMLFormElement)
  const output = getElement(`${selector} output`, HTMLOutputElement)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const data = new FormData(form)
    output.value = 'Waiting for the wallet…'
    act((name) => String(data.get(name) ?? '')).then(
      (text) => void (output.value = text),
      (error: unknown) => void (output.value = error instanceof Error ? error.message : String(error)),
    )
  })
}
