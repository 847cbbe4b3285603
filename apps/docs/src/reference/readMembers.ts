import { readFile } from 'node:fs/promises'
import ts from 'typescript'

/** A property of a type, with its documentation. */
export type Member = { name: string; type: string; isOptional: boolean; description: string }

/**
 * Reads the properties of a type alias or interface from its source, with their doc comments. Properties of types that it
 * refers to are not included.
 *
 * @param file path of a TypeScript source
 * @param typeName name of the type
 * @throws Error if the source has no such type
 */
export async function readMembers(file: string, typeName: string): Promise<readonly Member[]> {
  const tree = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const declaration = tree.statements.find(
    (node): node is ts.TypeAliasDeclaration | ts.InterfaceDeclaration =>
      (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) && node.name.text === typeName,
  )
  if (declaration === undefined) throw new Error(`${file} has no type ${typeName}. Correct the page that lists it.`)
  const members = ts.isInterfaceDeclaration(declaration) ? [...declaration.members] : membersOf(declaration.type)
  return members.filter(ts.isPropertySignature).map((member) => ({
    name: member.name.getText(tree).replaceAll("'", ''),
    type: (member.type?.getText(tree) ?? 'unknown').replaceAll(/\s+/g, ' '),
    isOptional: member.questionToken !== undefined,
    description: describeNode(member),
  }))
}

function membersOf(type: ts.TypeNode): ts.TypeElement[] {
  if (ts.isTypeLiteralNode(type)) return [...type.members]
  if (ts.isIntersectionTypeNode(type)) return type.types.flatMap(membersOf)
  if (ts.isParenthesizedTypeNode(type)) return membersOf(type.type)
  return []
}

/** The doc comment of a node as one paragraph, without its tags. */
export function describeNode(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replaceAll(/\{@link (\w+)\s*\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
