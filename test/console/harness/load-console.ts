import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

const OPTIONS = {
  jsx: { runtime: 'automatic' },
  define: { 'import.meta.env.BASE_MAP': '"/console/base-map"' },
  sourcemap: true,
} as const

/**
 * Lets this process import the sources of the console, which Node cannot read itself: files with JSX, and styles,
 * pictures and addresses of files, which all are one address.
 */
registerHooks({
  load(url, context, next) {
    if (/\.(css|svg)$|\?url$/.test(url))
      return { format: 'module', source: `export default '/nothing'`, shortCircuit: true }
    if (!url.endsWith('.tsx') && !url.endsWith('/map/base-style.ts')) return next(url, context)
    const file = fileURLToPath(url)
    const { code, errors, map } = transformSync(file, readFileSync(file, 'utf8'), OPTIONS)
    if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`)
    const inline = Buffer.from(JSON.stringify(map)).toString('base64')
    const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}`
    return { format: 'module', source, shortCircuit: true }
  },
})
