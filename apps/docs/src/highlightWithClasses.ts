import { createCssVariablesTheme, type ShikiTransformer } from 'shiki'

/** A theme whose colours are CSS variables. */
export const codeTheme = createCssVariablesTheme({ name: 'latchkey', variablePrefix: '--code-' })

/**
 * Replaces the style attributes of highlighted code by classes: a strict content security policy ignores style attributes.
 */
export const highlightWithClasses: ShikiTransformer = {
  name: 'latchkey-classes',
  pre(node) {
    node.properties['style'] = undefined
  },
  span(node) {
    const style = node.properties['style']
    const color = typeof style === 'string' ? /--code-(?:token-)?([a-z-]+)/.exec(style)?.[1] : undefined
    node.properties['style'] = undefined
    if (color !== undefined) node.properties['class'] = `code-${color}`
  },
}
