// What ships, for people who must know: a CycloneDX list of the Rust and npm parts, and the license texts of all of them.
//
//   node packaging/bill-of-materials.mjs FOLDER TARGET     writes bordereau.cdx.json and THIRD-PARTY-NOTICES.txt
//   node packaging/bill-of-materials.mjs --notices         prints the license texts, for About; of this machine's system
//
// Needs nothing but Node and cargo: the lists come from `cargo metadata` and ui/package-lock.json. The same sources give
// the same bytes; SOURCE_DATE_EPOCH is the time in it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = dirname(dirname(fileURLToPath(import.meta.url)));
const PROGRAMS = ['bordereau-cli', 'bordereau-desktop'];
const LICENSE_FILE = /^(licen[cs]e|copying|notice|unlicense|ofl)/i;
const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1);

/** The crates that are compiled into the programs; what only runs while they are built does not ship. */
function rustParts(target) {
  const line = ['metadata', '--locked', '--format-version', '1', '--filter-platform', target];
  const metadata = JSON.parse(execFileSync('cargo', line, { cwd: TOP, maxBuffer: 1 << 28 }));
  const packages = new Map(metadata.packages.map((each) => [each.id, each]));
  const nodes = new Map(metadata.resolve.nodes.map((each) => [each.id, each]));
  const isMacro = (each) => each.targets.some((made) => made.kind.includes('proc-macro'));
  const open = metadata.packages.filter((each) => PROGRAMS.includes(each.name)).map((each) => each.id);
  const found = new Set(open);
  while (open.length > 0) {
    for (const { pkg, dep_kinds } of nodes.get(open.pop()).deps) {
      const ships = dep_kinds.some(({ kind }) => kind === null) && !isMacro(packages.get(pkg));
      if (ships && !found.has(pkg)) {
        found.add(pkg);
        open.push(pkg);
      }
    }
  }
  const parts = [...found].map((id) => packages.get(id));
  return parts
    .filter((each) => each.source !== null)
    .map((each) => ({
      kind: 'cargo',
      name: each.name,
      version: each.version,
      license: each.license ?? 'see its license file',
      about: each.description ?? '',
      folder: dirname(each.manifest_path),
      purl: `pkg:cargo/${each.name}@${each.version}`,
    }))
    .sort(byName);
}

/** The packages that the built UI may contain: those that are not for development. */
function npmParts() {
  const lock = JSON.parse(readFileSync(join(TOP, 'ui/package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path, each]) => path !== '' && !each.dev && !each.optional && !path.includes('node_modules/@types/'))
    .map(([path, each]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const purl = `pkg:npm/${name.replace('@', '%40')}@${each.version}`;
      const folder = join(TOP, 'ui', path);
      return { kind: 'npm', name, version: each.version, license: each.license, about: '', folder, purl };
    })
    .sort(byName);
}

/** The license texts in a part's folder, fonts and the like two folders deep. */
function licenseTexts(folder, depth = 3) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const skipped = /^(node_modules|target|tests?|benches|examples|src|dist)$/.test(entry.name);
      return depth > 0 && !skipped ? licenseTexts(path, depth - 1) : [];
    }
    if (!LICENSE_FILE.test(entry.name) || /\.(rs|js|ts|json)$/.test(entry.name)) return [];
    return [readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim()];
  });
}

function notices(parts) {
  const users = new Map();
  const without = [];
  for (const part of parts) {
    const texts = [...new Set(licenseTexts(part.folder))];
    if (texts.length === 0) without.push(part);
    for (const text of texts) users.set(text, [...(users.get(text) ?? []), part]);
  }
  const title = ({ name, version, license }) => `${name} ${version} (${license})`;
  const rule = '-'.repeat(80);
  const chapters = [...users].map(([text, of]) => `${rule}\n${of.map(title).join('\n')}\n${rule}\n\n${text}\n`);
  const head = `Bordereau is built with the work of others, under the licenses below.\n\n${parts.map(title).join('\n')}\n`;
  const apache = readFileSync(join(TOP, 'LICENSE-APACHE'), 'utf8');
  const bare =
    without.length === 0
      ? ''
      : `${rule}\nThese come without a license text of their own; the license is the one named:\n${without.map(title).join('\n')}\n` +
        `${rule}\n\n${apache}`;
  return `${head}\n${chapters.join('\n')}\n${bare}`;
}

function billOfMaterials(parts, target) {
  const version = JSON.parse(readFileSync(join(TOP, 'ui/package.json'), 'utf8')).version;
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? 0);
  const application = {
    type: 'application',
    'bom-ref': 'bordereau',
    name: 'bordereau',
    version,
    licenses: [{ expression: 'MIT OR Apache-2.0' }],
  };
  // An expression of SPDX, or the words that stand in its place.
  const licenses = (text) => {
    const expression = text.replaceAll('/', ' OR ').replace(/^\((.*)\)$/, '$1');
    return /^[A-Za-z0-9.+() -]+$/.test(expression) && !text.startsWith('see ')
      ? [{ expression }]
      : [{ license: { name: text } }];
  };
  const components = parts.map(({ name, version, license, about, purl }) => ({
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    ...(about ? { description: about.trim().replaceAll(/\s+/g, ' ') } : {}),
    licenses: licenses(license),
    purl,
  }));
  const rustc = execFileSync('rustc', ['--version'], { cwd: TOP, encoding: 'utf8' }).trim();
  const body = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: application,
      properties: [
        { name: 'bordereau:target', value: target },
        { name: 'bordereau:compiler', value: rustc },
      ],
    },
    components,
    dependencies: [{ ref: 'bordereau', dependsOn: components.map((each) => each['bom-ref']) }],
  };
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const uuid = [0, 8, 12, 16, 20, 32].map((at, index, cuts) => digest.slice(at, cuts[index + 1])).slice(0, 5);
  // Version 8 of RFC 9562: made from the content.
  uuid[2] = `8${uuid[2].slice(1)}`;
  uuid[3] = `8${uuid[3].slice(1)}`;
  return { ...body, serialNumber: `urn:uuid:${uuid.join('-')}` };
}

/** As rustc calls this system. */
function hostTarget() {
  const text = execFileSync('rustc', ['--version', '--verbose'], { cwd: TOP, encoding: 'utf8' });
  return /^host: (.*)$/m.exec(text)[1];
}

const [folder, target] = process.argv.slice(2);
if (folder === '--notices') {
  process.stdout.write(notices([...rustParts(hostTarget()), ...npmParts()]), () => process.exit(0));
  await new Promise(() => undefined);
}
if (!folder || !target) {
  console.error('usage: node packaging/bill-of-materials.mjs FOLDER TARGET');
  process.exit(2);
}
const parts = [...rustParts(target), ...npmParts()];
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'bordereau.cdx.json'), `${JSON.stringify(billOfMaterials(parts, target), null, 1)}\n`);
writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(parts));
console.log(`${parts.length} parts`);
