const placeholder = '<div id="root"></div>'

/**
 * Writes rendered content into the root element of an app's page.
 *
 * @param page the HTML of the page
 * @param content the HTML of the content
 * @throws Error if the page has no empty `<div id="root"></div>`
 * @example injectPageContent(page, '<h1>Account</h1>')
 */
export function injectPageContent(page: string, content: string): string {
  if (!page.includes(placeholder)) throw new Error('The page has no place for its content.')
  return page.replace(placeholder, () => `<div id="root">${content}</div>`)
}
