/** Runs programs; see `interpreter.ts`. It is the only code in Python that is trusted. */
export const DRIVER = `
import os, runpy, sys, traceback, types

def _close():
    """Removes what leads out of Python: the modules that reach JavaScript."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if 'Js' not in type(finder).__name__]
    for name in list(sys.modules):
        if name.split('.')[0] in ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core'):
            sys.modules[name] = None
    for name in ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core'):
        sys.modules[name] = None
    # The loop of asyncio reads its configuration when it starts.
    api = types.ModuleType('pyodide_js._api')
    api.config = types.SimpleNamespace(enableRunUntilComplete=True)
    sys.modules['pyodide_js._api'] = api
    # The files of the session were written just now. Listing Python's own archive again, which is the same, takes 50 ms.
    for finder in sys.path_importer_cache.values():
        if finder is not None and type(finder).__name__ != 'zipimporter':
            finder.invalidate_caches()

def _advise(error, known):
    """Says what can be done about a missing module."""
    name = (error.name or '').split('.')[0]
    if name in ('js', 'pyodide', 'pyodide_js'):
        return f'The module {name} is closed here: programs cannot reach JavaScript, the network, or the page.'
    if name == '' or name in known:
        return None
    return (f'The package {name} is not here, and none can be installed. Use the standard library; the application can add packages '
            f"with python({{ packages: ['{name}'] }}).")

def _run(kind, target, argv, cwd, env):
    env = env.to_py()
    os.environ.clear()
    os.environ.update({'HOME': '/', 'MPLBACKEND': 'Agg', **env})
    os.chdir(cwd)
    sys.argv = list(argv.to_py())
    sys.dont_write_bytecode = True
    _close()
    try:
        if kind == 'file':
            sys.path[0:0] = [os.path.dirname(target)]
            runpy.run_path(target, run_name='__main__')
        elif kind == 'module':
            sys.path[0:0] = [cwd]
            runpy.run_module(target, run_name='__main__', alter_sys=True)
        else:
            sys.path[0:0] = ['']
            exec(compile(target, '<string>' if kind == 'code' else '<stdin>', 'exec'), {'__name__': '__main__', '__builtins__': __builtins__})
        return 0
    except SystemExit as end:
        if end.code is None:
            return 0
        if isinstance(end.code, int):
            return end.code & 255
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        shown = [frame for frame in frames if frame.filename not in ('<exec>', '<frozen runpy>') and not frame.filename.endswith('/runpy.py')]
        lines = ['Traceback (most recent call last):\\n'] if shown else []
        lines += traceback.format_list(shown)
        lines += traceback.format_exception_only(type(error), error)
        print(''.join(lines), end='', file=sys.stderr)
        if isinstance(error, ModuleNotFoundError):
            advice = _advise(error, sys.stdlib_module_names)
            if advice:
                print(advice, file=sys.stderr)
        return 1
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass

_run
`;
